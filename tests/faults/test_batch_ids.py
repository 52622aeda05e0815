"""Ids of a batch (--batch): whatever changes around a line between two runs, its order is posted once."""
import hashlib
import json
import os
import subprocess
import unittest

from fault_proxy import FaultProxy
from paper import Paper
from parallel_unittest import main
from sender import RUNNING, Sender, TempHome, posts, resting, send

DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
AT = ("--until", "acked")
ORDERGATE = os.path.join(os.environ["OG_BIN"], "ordergate")


def line(quantity, **changes):
    return json.dumps(resting(orderQuantity=quantity, **changes)) + "\n"


def older_id(batch, file, number, text):
    """Returns the id that earlier versions made for the line with this number of the file with this index."""
    of = f"{len(batch)}:{batch}:{file}:{number}:{text}".encode()
    value = int.from_bytes(hashlib.sha256(of).digest()[:16], "big")
    return "".join(DIGITS[value >> 5 * i & 31] for i in reversed(range(26)))


class Batches(unittest.TestCase):
    """Every test runs a batch some times, each time with other files, and compares which quantities were posted."""

    def run_all(self, home, url, *runs):
        """Run the batch once for each of the runs, a run being a list of texts of files. Returns the ids by run."""
        ids = []
        for texts in runs:
            files = [home.file(f"{i}.ndjson", text) for i, text in enumerate(texts)]
            orders = sum(1 for text in texts for n in text.split("\n") if n.strip())
            code, gate = send(url, home, None, "--batch", "day1", *AT, *files, orders=orders)
            self.assertIn(code, (0, 1), gate.stderr)
            ids.append([e["clientOrderId"] for e in gate.events_of("outcome")])
        return ids

    def check_posted(self, *runs, once):
        """once: the quantities that all runs together are to post."""
        with Paper(clock=RUNNING) as p, TempHome() as home:
            ids = self.run_all(home, p.url, *runs)
            self.assertEqual(sorted(json.loads(r["body"])["orderQuantity"] for r in posts(p)), sorted(once))
            return ids

    def test_a_file_in_front(self):
        """A glob matches one more file in the second run."""
        a, b = line(90), line(191) + line(192)
        self.check_posted([b], [b], [a, b], [b, a], once=[90, 191, 192])

    def test_other_names(self):
        ids = self.check_posted([line(1) + line(2)], [line(2), line(1)], once=[1, 2])
        self.assertEqual(sorted(ids[0]), sorted(ids[1]))
        for i in ids[0]:
            self.assertRegex(i, r"\A7ZZZ[0-9A-HJKMNP-TV-Z]{22}\Z")

    def test_lines_that_move(self):
        """Lines are inserted, left out, moved, and put among blank lines."""
        a, b, c, d = (line(i) for i in range(1, 5))
        for first, second, once in ((a + b, c + a + b, [1, 2, 3]), (a + b + c, b + c, [1, 2, 3]),
                                    (a + b, b + a, [1, 2]), (a + b, "\n\n" + a + "  \n" + b, [1, 2]),
                                    (a + b, d + "\n" + b + c + a, [1, 2, 3, 4])):
            with self.subTest(first=first, second=second):
                self.check_posted([first], [second], [first], once=once)

    def test_spacing_and_sequence_of_keys(self):
        spaced = json.dumps(dict(reversed(resting(orderQuantity=1).items())), separators=(" , ", " : ")) + " \n"
        self.check_posted([line(1)], [spaced.replace("150", "150.00")], [spaced], once=[1])

    def test_equal_lines_are_orders_of_their_own(self):
        """As often as a line stands in a run, that many of its orders are posted in all runs."""
        a, b = line(1), line(2)
        for runs, once in ((([a + a], [a + a]), [1, 1]), (([a], [a + b + a], [a]), [1, 1, 2]),
                           (([a, a], [a], [b + a, a]), [1, 1, 2]), (([a + a + b], [b + a]), [1, 1, 2])):
            with self.subTest(runs=runs):
                self.check_posted(*runs, once=once)

    def test_other_terms_are_another_order(self):
        ids = self.check_posted([line(1)], [line(1, limitPrice=149)], [line(1, symbol="MSFT")], once=[1, 1, 1])
        self.assertEqual(len({*map(tuple, ids)}), 3)

    def test_lines_with_ids_do_not_count(self):
        own = json.dumps(resting("own", orderQuantity=1)) + "\n"
        self.check_posted([line(1)], [own + line(1)], once=[1, 1])

    def test_a_check_in_between(self):
        """`check --emit lines` leaves a line out in the first run, and not in the second, by another policy."""
        lines = [line(10), line(5), line(5)]
        rule = "ordergate: 1\nname: p\nrules:\n  route: off\n  order-notional: {level: refuse, most: %d}\n"
        for refused in range(3):
            with self.subTest(refused=refused), Paper(clock=RUNNING) as p, TempHome() as home:
                path = home.file("a.ndjson", "".join(lines[:refused] + [line(400)] + lines[refused:]))
                for most, passed in ((50_000, 3), (100_000, 4), (50_000, 3)):
                    policy = home.file("p.yaml", rule % most)
                    done = subprocess.run([ORDERGATE, "check", "-p", policy, "--emit", "lines", path],
                                          stdout=subprocess.PIPE, check=False)
                    code, gate = send(p.url, home, done.stdout.splitlines(True), "--batch", "day1", *AT, orders=passed)
                    self.assertEqual(code, 0, gate.stderr)
                self.assertEqual(len(posts(p)), 4)

    def test_killed_and_run_again_with_a_line_in_front(self):
        """The process is killed while POSTs are under way; the next run has another line in front."""
        with Paper(clock=RUNNING) as p, TempHome() as home, FaultProxy(p) as b:
            lines = [line(i).encode() for i in range(1, 9)]
            with Sender(b.url, home, "--batch", "day1") as gate:
                gate.feed(*lines)
                gate.event("posted")
                gate.kill()
                gate.finish()
            code, gate = send(b.url, home, [line(99).encode(), *lines], "--batch", "day1", *AT)
            self.assertIn(code, (0, 1, 5), gate.stderr)
            self.assertEqual({n for n in b.posts.values()}, {1})
            sent = [json.loads(r["body"])["orderQuantity"] for r in posts(p)]
            self.assertEqual(len(sent), len({*sent}), sent)


class Older(unittest.TestCase):
    """Earlier versions made the id from the file's index, the line's number and its bytes."""

    def sends_no_more(self, older, texts, more=0, batch="day1", args=()):
        """older: (file, number, text) of each line that an earlier version sent."""
        with Paper(clock=RUNNING) as p, TempHome() as home:
            ids = [older_id("day1", f, n, text.rstrip("\n")) for f, n, text in older]
            code, gate = send(p.url, home, [{**json.loads(text), "clientOrderId": i}
                                            for i, (_, _, text) in zip(ids, older)], *AT)
            self.assertEqual((code, len(posts(p))), (0, len(older)), gate.stderr)
            files = [home.file(f"{i}.ndjson", text) for i, text in enumerate(texts)]
            for _ in range(2):
                code, gate = send(p.url, home, None, "--batch", batch, *AT, *args, *files,
                                  orders=sum(t.count("\n") for t in texts))
                self.assertEqual(code, 0, gate.stderr)
                self.assertEqual(len(posts(p)), len(older) + more, gate.outcomes())
            if batch == "day1":
                self.assertLessEqual({*ids}, {*gate.outcomes()})

    def test_the_same_file(self):
        self.sends_no_more([(0, 1, line(1)), (0, 2, line(2))], [line(1) + line(2)])

    def test_the_same_file_further_on(self):
        self.sends_no_more([(0, 1, line(1)), (0, 2, line(2))], [line(1) + line(2) + line(3)], more=1)

    def test_moved(self):
        for texts in ([line(9) + line(1) + line(2)], [line(9), line(1) + line(2)], [line(2), line(1), line(9)]):
            with self.subTest(texts=texts):
                self.sends_no_more([(0, 1, line(1)), (0, 2, line(2))], texts, more=1)

    def test_equal_lines(self):
        self.sends_no_more([(0, 1, line(1)), (0, 2, line(1))], [line(9) + line(1) + line(1) + line(1)], more=2)

    def test_another_batch(self):
        self.sends_no_more([(0, 1, line(1))], [line(1)], more=1, batch="day2")

    def test_a_named_account(self):
        self.sends_no_more([(0, 1, line(1))], [line(9) + line(1)], more=1, args=("--account", "PAPER0001"))


class Dry(unittest.TestCase):
    def test_a_dry_run_names_the_ids_that_the_run_will_use(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            path = home.file("a.ndjson", line(1) + line(2) + line(1))
            dry = send(p.url, home, None, "--batch", "d", "--dry-run", path, orders=3)[1].outcomes()
            real = send(p.url, home, None, "--batch", "d", *AT, path, orders=3)[1].outcomes()
            self.assertEqual(list(dry), list(real))


if __name__ == "__main__":
    main()
