"""Lines and ids: each line has one outcome however the run ends, an id is used once, and a later run treats the same
lines in a defined way."""
import json
import os
import signal
import subprocess
import unittest

from fault_proxy import FaultProxy
from paper import Paper, stock
from parallel_unittest import main
from sender import RUNNING, SEND, Sender, TempHome, posts, resting, send


class Ids(unittest.TestCase):
    def test_the_same_line_in_a_later_run_is_reported_and_not_posted(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            rests = [resting("rests")]
            lines = [stock("fills"), stock("dead", limitPrice=-1), stock("short", orderType="bad")]
            final = ("--until", "final")
            _, first = send(p.url, home, lines, *final)
            self.assertEqual(first.outcomes(), {"fills": "filled", "dead": "refused", "short": "refused"})
            for _ in range(2):
                self.assertEqual(send(p.url, home, rests)[1].outcomes(), {"rests": "working"})
            _, again = send(p.url, home, lines, *final)
            self.assertEqual(again.outcomes(), first.outcomes())
            self.assertEqual(again.event("outcome", "fills")["executed"], 10)
            self.assertEqual(again.event("outcome", "fills")["priceAvg"], 190.01)
            self.assertEqual([e["clientOrderId"] for e in again.events_of("decision")], ["dead", "short"])
            self.assertEqual(self.of_other_runs(first), [])
            self.assertEqual(self.of_other_runs(again), ["fills"], "what was refused is decided anew")
            self.assertEqual(len(posts(p)), 2)
            p.quote("AAPL", 149, 149.5)
            _, third = send(p.url, home, rests, *final)
            self.assertEqual(third.outcomes(), {"rests": "filled"}, "what became of it meanwhile is learnt")
            self.assertEqual(self.of_other_runs(third), ["rests"])
            self.assertEqual(len(posts(p)), 2)

    def of_other_runs(self, gate):
        return [e["clientOrderId"] for e in gate.events_of("outcome") if e.get("otherRun")]

    def test_the_same_order_written_differently_is_the_same(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            send(p.url, home, [resting("o")])
            other = ' {"clientOrderId":"o" , ' + json.dumps({**resting(), "limitPrice": 150.00,
                                                             "orderQuantity": 10})[1:]
            code, gate = send(p.url, home, [other.replace("150.0", "150.000")])
            self.assertEqual((code, gate.outcomes()), (0, {"o": "working"}))
            self.assertEqual(len(posts(p)), 1)
            self.assertEqual(self.of_other_runs(gate), ["o"])

    def test_another_body_under_a_used_id_is_refused(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            send(p.url, home, [resting("o")])
            code, gate = send(p.url, home, [resting("o", orderQuantity=11), resting("fine")])
            self.assertEqual((code, gate.outcomes()), (1, {"o": "refused", "fine": "working"}))
            self.assertIn("client-order-id-reused", [f["reason"] for f in gate.event("decision", "o")["findings"]])
            self.assertEqual(len(posts(p, "o")), 1)
            code, gate = send(p.url, home, [resting("o")])
            self.assertEqual((code, gate.outcomes()), (0, {"o": "working"}), "the refusal is no news of the order")

    def test_an_id_is_used_once_whatever_the_policy_says(self):
        """The policy accepts the second order of an id. It is refused, in the same run and a later one, and the run
        goes on: the next order is sent, and the order that a replacement with a used id would replace stays."""
        for rule in ("client-order-id: off", "client-order-id: {mode: shadow}", "client-order-id: {reasons: "
                     "{client-order-id-reused: warn, client-order-id-used-uncertain: warn}}"):
            for later in (False, True):
                with self.subTest(rule=rule, later=later), Paper(clock=RUNNING) as p, TempHome() as home:
                    args = ["-p", home.file("p.yaml", f"ordergate: 1\nname: x\nrules:\n  {rule}\n")]
                    with Sender(p.url, home, *args) as gate:
                        gate.feed(resting("a"), resting("old", limitPrice=140))
                        gate.event("outcome", "old", outcome="working")
                        if not later:
                            self.refuses_used(gate, 3)
                        gate.finish()
                    if later:
                        with Sender(p.url, home, *args) as gate:
                            self.refuses_used(gate, 1)
                            gate.finish()
                    self.assertEqual([len(posts(p, i)) for i in ("a", "b", "old")], [1, 1, 1])
                    self.assertEqual({(o["clientOrderId"], o["orderStatus"])
                                      for o in p.control("GET", "orders")["orders"]},
                                     {("a", "New"), ("old", "New"), ("b", "New")})

    def refuses_used(self, gate, line):
        gate.feed(resting("a", limitPrice=151), resting("a", limitPrice=152, replaces="old"), resting("b"))
        for i in (line, line + 1):
            told = gate.event("outcome", line=i)
            self.assertEqual(told["outcome"], "refused", gate.stderr)
            self.assertIn("was used before", told["text"])
        gate.event("outcome", "b", outcome="working")

    def test_twice_in_one_run(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            with Sender(p.url, home) as gate:
                gate.feed(resting("o"), resting("o"))
                gate.event("outcome", "o", line=1)
                gate.feed(resting("o"))
                gate.event("outcome", "o", line=3)
                gate.feed(resting("o", orderQuantity=2))
                self.assertEqual(gate.finish(4), 1)
            self.assertEqual({e["line"]: e["outcome"] for e in gate.events_of("outcome")},
                             {1: "working", 2: "refused", 3: "refused", 4: "refused"})
            for e in gate.events_of("decision")[1:]:
                self.assertIn("client-order-id-reused", [f["reason"] for f in e["findings"]])
            self.assertEqual(len(posts(p)), 1)
            code, gate = send(p.url, home, [resting("o"), resting("o")])
            self.assertEqual({e["line"]: e["outcome"] for e in gate.events_of("outcome")}, {1: "working", 2: "refused"})
            self.assertEqual((code, len(posts(p))), (1, 1))

    def test_two_runs_at_once(self):
        """Two processes share the ledger and read the same lines: exactly one of them posts each order."""
        lines = [resting(f"o{i}") for i in range(30)]
        with Paper(clock=RUNNING) as p, FaultProxy(p) as b, TempHome() as home:
            broker = home.file("b.yaml", "budgets: off\n")
            with Sender(b.url, home, "--broker", broker) as one, Sender(b.url, home, "--broker", broker) as two:
                for line in lines:
                    one.feed(line)
                    two.feed(line)
                self.assertEqual({one.finish(30), two.finish(30)} - {0, 1, 5}, set())
            self.assertEqual(b.posts, {o["clientOrderId"]: 1 for o in lines})
            both = (one.outcomes(), two.outcomes())
            for i in b.posts:
                self.assertIn("working", [o[i] for o in both], i)

    def test_an_order_in_flight_in_another_run(self):
        """The order is in flight in another run: this run reports what it can find out, and the run that made the POST
        reports its outcome."""
        with Paper(clock=RUNNING) as p, FaultProxy(p,
                                                   {"here": (True, "hang"),
                                                    "gone": (False, "hang")}) as b, TempHome() as home:
            with Sender(b.url, home, "--timeout", "5m") as one:
                one.feed(resting("here"), resting("gone"))
                b.wait_post("here")
                b.wait_post("gone")
                code, two = send(b.url, home, [resting("here"), resting("gone")], "--wait", "8s")
                self.assertEqual((code, two.outcomes()), (5, {"here": "working", "gone": "unknown"}))
                self.assertEqual({r["state"] for r in home.rows("id = 'gone'")}, {"intended"})
            self.assertEqual(b.posts, {"here": 1, "gone": 1})

    def test_ids_made_by_the_gate(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            code, gate = send(p.url, home, [resting() for _ in range(12)])
            ids = list(gate.outcomes())
            self.assertEqual((code, len(ids)), (0, 12))
            self.assertEqual(sorted(ids), [e["clientOrderId"] for e in gate.events_of("decision")], "they sort by time")
            self.assertLessEqual(max(map(len, ids)), 36)
            _, other = send(p.url, home, [resting()])
            self.assertGreater(list(other.outcomes())[0], max(ids))
            self.assertEqual({json.loads(r["body"])["clientOrderId"] for r in posts(p)}, {*ids, *other.outcomes()})

    def test_batch(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            path = home.file("orders.ndjson",
                             "".join(json.dumps(o) + "\n" for o in (resting(), resting(), resting("own"))))
            runs = [send(p.url, home, None, "--batch", name, path, orders=3)[1] for name in ("monday", "monday",
                                                                                             "tuesday")]
            a, b, c = [r.outcomes() for r in runs]
            self.assertEqual(a, b)
            self.assertEqual(len(a), 3)
            self.assertEqual(set(a) & set(c), {"own"})
            self.assertEqual(len(posts(p)), 5)
            self.assertEqual({e["file"] for e in runs[0].events if e["line"]}, {path})
            with open(path, "w") as f:
                f.write(json.dumps(resting(orderQuantity=3)) + "\n")
            d = send(p.url, home, None, "--batch", "monday", path, orders=1)[1].outcomes()
            self.assertEqual(set(d) & set(a), set(), "other bytes are another order")

    def test_dry_run_uses_nothing_up(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            lines = [resting("o"), stock("bad", limitPrice=-1), "what"]
            before = p.control("GET", "requests?since=0")["requests"]
            code, gate = send(p.url, home, lines, "--dry-run")
            self.assertEqual({e["line"]: e["outcome"] for e in gate.events_of("outcome")},
                             {1: "not-sent", 2: "refused", 3: "refused"})
            self.assertEqual(code, 1)
            self.assertEqual(send(p.url, home, lines[:1], "--dry-run")[0], 0, "all would be accepted")
            self.assertEqual(gate.event("decision", "o")["verdict"], "accept")
            self.assertEqual({d for d, _, names in os.walk(home.path) if names} - {home.path
                                                                                   + "/state/ordergate/budgets"},
                             set(), "nothing but what all processes take of the budgets")
            self.assertEqual(posts(p), [])
            self.assertEqual({r["method"] for r in p.control("GET", "requests?since=0")["requests"][len(before):]},
                             {"GET"})
            code, gate = send(p.url, home, lines)
            self.assertEqual({e["line"]: e["outcome"] for e in gate.events_of("outcome")},
                             {1: "working", 2: "refused", 3: "refused"})
            code, gate = send(p.url, home, [resting("o"), resting("o", orderQuantity=5)], "--dry-run")
            self.assertEqual({e["line"]: e["outcome"] for e in gate.events_of("outcome")},
                             {1: "not-sent", 2: "refused"})
            self.assertEqual(len(posts(p)), 1)

    def test_a_dry_run_says_what_would_become_of_each_line(self):
        again = "dry run: would not be sent again: another run has it as "
        not_sent = "dry run: would not be sent: another run has it as not-sent; --resend-not-sent would send it"
        policy = "ordergate: 1\nextends: []\nrules: {}\n"
        with Paper(clock=RUNNING) as p, TempHome() as home:
            args = "-p", home.file("p.yaml", policy), "--timeout", "500ms", "--wait", "1ms"
            lines = [resting("works"), resting("over"), stock("bad", limitPrice=-1), stock("fills", limitPrice=200),
                     resting("gone", orderQuantity=7), resting("lost", orderQuantity=8)]
            with Sender(p.url, home, *args) as gate:
                for line in lines:
                    if line["clientOrderId"] == "gone":
                        p.control("POST", "faults", {"on": "POST order", "do": "status", "status": 404})
                    if line["clientOrderId"] == "lost":
                        p.control("POST", "faults", {"on": "POST order", "do": "drop-request"})
                    gate.feed(line)
                    gate.event("outcome", line["clientOrderId"])
                gate.event("update", "fills", orderStatus="Filled")
                gate.feed({"op": "cancel", "clientOrderId": "over"})
                gate.event("update", "over", orderStatus="Canceled")
                gate.finish()
            wanted = {"works": again + "working; it would be looked up", "over": again + "canceled",
                      "bad": again + "rejected", "fills": again + "filled", "gone": not_sent,
                      "lost": again + "unknown; it would be looked up",
                      "new": "dry run: would be sent",
                      "place": "dry run: would be sent, once the order 'works' that it replaces is canceled"}
            lines += [resting("new"), resting("place", replaces="works")]
            code, gate = send(p.url, home, lines, *args, "--dry-run")
            self.assertEqual({e["clientOrderId"]: e["text"] for e in gate.events_of("outcome")}, wanted)
            self.assertEqual((code, set(gate.outcomes().values())), (0, {"not-sent"}))
            code, gate = send(p.url, home, [lines[4], {"op": "cancel", "clientOrderId": "works"}], *args, "--dry-run",
                              "--resend-not-sent")
            self.assertEqual([e["text"] for e in gate.events_of("outcome")],
                             ["dry run: would be sent again: another run has it as not-sent", "dry run: would be sent"])


class Lines(unittest.TestCase):
    def test_what_cannot_be_read_is_refused_on_its_own(self):
        good = json.dumps(resting("good")).encode()
        lines = [b"\xef\xbb\xbf" + json.dumps(resting("bom")).encode() + b"\r\n", b"\n", b"   \n", b"{\n", b"[]\n",
                 b"\xff\xfe\n",
                 b'{"clientOrderId":"twice","symbol":"A","symbol":"B"}\n', b'{"a":"' + b"x" * (1 << 20) + b'"}\n', good]
        with Paper(clock=RUNNING) as p, TempHome() as home:
            with Sender(p.url, home) as gate:
                gate.feed(*lines)
                self.assertEqual(gate.finish(7), 1)
            self.assertEqual({e["line"]: e["outcome"] for e in gate.events_of("outcome")},
                             {1: "working", 4: "refused", 5: "refused", 6: "refused", 7: "refused", 8: "refused",
                              9: "working"})
            reasons = {e["line"]: [f["reason"] for f in e["findings"]] for e in gate.events_of("decision")}
            self.assertIn("body-duplicate-key", reasons[7])
            self.assertIn("line-too-long", reasons[8])
            self.assertEqual({f["rule"] for e in gate.events_of("decision") if e["line"] in (4, 5, 6, 7, 8)
                              for f in e["findings"]},
                             {"order-form"})
            self.assertIsNone(gate.event("outcome", line=4)["clientOrderId"])
            self.assertEqual(len(posts(p)), 2)

    def test_every_refusal_is_in_the_ledger(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            send(p.url, home, [stock("no", limitPrice=-1), "what"])
            rows = home.rows("record = 'decision'")
            self.assertEqual([(r["id"], r["state"], r["outcome"]) for r in rows],
                             [("no", "refused", "refused"), (None, "refused", "refused")])
            self.assertEqual(json.loads(rows[0]["detail"])["verdict"], "refuse")

    def test_news_in_the_input(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            policy = home.file("p.yaml", "ordergate: 1\nname: p\nrules:\n  price-collar: {level: refuse, away: 1%}\n")
            quote = '{"op":"quote","symbol":"AAPL","bid":%d,"ask":%d,"last":%d,"asOf":"2026-01-15T15:00:00Z"}'
            lines = [quote % (100, 101, 100), resting("far"), '{"op":"heartbeat"}', quote % (189, 191, 190),
                     resting("near")]
            code, gate = send(p.url, home, lines, "-p", policy, "--trust-input", orders=2)
            self.assertEqual((code, gate.outcomes()), (0, {"far": "working", "near": "working"}))
            self.assertEqual([e["clientOrderId"] for e in gate.events_of("decision")
                              if "price-collar" in [f["rule"] for f in e["findings"]]],
                             ["far"])
            self.assertEqual({e["line"] for e in gate.events if e["line"]}, {2, 5})

    def test_several_files(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            files = [home.file(f"{i}.ndjson", json.dumps(resting(f"o{i}")) + "\n") for i in range(3)]
            code, gate = send(p.url, home, [resting("in")], *files, "-", orders=4)
            self.assertEqual((code, {(e["file"], e["line"], e["clientOrderId"]) for e in gate.events_of("outcome")}),
                             (0, {(files[0], 1, "o0"), (files[1], 1, "o1"), (files[2], 1, "o2"), ("-", 1, "in")}))
            code, gate = send(p.url, home, None, home.path + "/none")
            self.assertEqual(code, 4)
            self.assertIn("none", gate.stderr)

    def test_more_lines_than_fit(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            bad = "{" + " " * 30000
            code, gate = send(p.url, home, [*[bad] * 1200, resting("last")])
            self.assertEqual((code, len(gate.events_of("outcome"))), (1, 1201))
            self.assertEqual(gate.events_of("outcome")[-1]["outcome"], "working")


class Ends(unittest.TestCase):
    def test_signals(self):
        """On a signal orders in flight are followed until acknowledged, orders that were not posted are reported as
        not sent, and nothing more is posted."""
        for how in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(how), Paper() as p, FaultProxy(p, {"flying": (True, "hang")}) as b, TempHome() as home:
                with Sender(b.url, home, "--max-in-flight", "1", "--until", "final", "--timeout", "5s") as gate:
                    gate.feed(stock("first"))
                    gate.event("posted", "first")
                    gate.feed(stock("flying"), stock("waits-1"), stock("waits-2"), "unreadable", stock("waits-3"))
                    gate.event("update", "flying")
                    gate.kill(how)
                    gate.event("outcome", "waits-3")
                    self.assertFalse(gate.events_of("outcome", "flying"))
                    p.advance("1s")
                    gate.event("update", "flying", orderStatus="Filled")
                    self.assertEqual(gate.finish(), 4)
                outcomes = gate.outcomes()
                self.assertEqual({i: outcomes[i] for i in ("first", "flying", "waits-1", "waits-2", "waits-3")},
                                 {"first": "working", "flying": "filled", "waits-1": "not-sent", "waits-2": "not-sent",
                                  "waits-3": "not-sent"})
                self.assertEqual(len(gate.events_of("outcome")), 6)
                self.assertEqual(b.posts, {"first": 1, "flying": 1})

    def test_a_signal_while_it_starts(self):
        with Paper() as p, TempHome() as home:
            p.control("POST", "faults", {"on": "GET accounts", "do": "hang"})
            with Sender(p.url, home) as gate:
                gate.feed(stock("o"))
                while not p.control("GET", "requests?since=0")["requests"]:
                    pass
                gate.kill(signal.SIGTERM)
                self.assertIn(gate.finish(), (0, 4))
                self.assertEqual(posts(p), [])

    def test_stdin_ends(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            code, gate = send(p.url, home, [stock("a"), json.dumps(stock("b")).encode()], "--until", "final")
            self.assertEqual((code, gate.outcomes()), (0, {"a": "filled", "b": "filled"}))
            self.assertEqual(send(p.url, home, [])[0], 0)

    def test_nobody_reads(self):
        """The reader of stdout goes away: nothing more is posted, orders in flight are followed and recorded in the
        ledger, and the exit code is 4."""
        with Paper() as p, TempHome() as home:
            read, write = os.pipe()
            env = {**os.environ, "HOME": home.path, "XDG_STATE_HOME": home.path, "ORDERGATE_BASE_URL": p.url,
                   "ORDERGATE_KEY_ID": "paper-key", "ORDERGATE_SECRET_KEY": "paper-secret", "ORDERGATE_CLOCK": "broker"}
            process = subprocess.Popen([SEND, "--ledger", home.ledger, "--until", "final"], stdin=subprocess.PIPE,
                                       stdout=write, stderr=subprocess.PIPE, env=env)
            os.close(write)
            process.stdin.write(json.dumps(stock("o")).encode() + b"\n")
            process.stdin.flush()
            with os.fdopen(read, "rb") as events:
                while b'"posted"' not in (line := events.readline()):
                    self.assertTrue(line, "it ended before it posted")
            process.stdin.write(b"what\n")  # the decision on this line is the next event
            process.stdin.flush()
            while b"cannot be written" not in process.stderr.readline():
                pass
            process.stdin.write(json.dumps(stock("late")).encode() + b"\n")
            process.stdin.flush()
            p.advance("1s")
            errors = process.communicate(timeout=600)[1]
            self.assertEqual(process.returncode, 4, errors)
            self.assertIn(home.newest_row("o")["state"], ("working", "filled"))  # its fate is known in either
            self.assertEqual(len(posts(p)), 1)
            self.assertEqual(home.rows("id = 'late' AND record = 'intent'"), [])

    def test_a_full_disk_for_events(self):
        with Paper() as p, TempHome() as home, open("/dev/full", "wb") as full:
            env = {**os.environ, "HOME": home.path, "XDG_STATE_HOME": home.path, "ORDERGATE_BASE_URL": p.url,
                   "ORDERGATE_KEY_ID": "paper-key", "ORDERGATE_SECRET_KEY": "paper-secret", "ORDERGATE_CLOCK": "broker"}
            done = subprocess.run([SEND, "--ledger", home.ledger], input=json.dumps(stock("o")).encode(), stdout=full,
                                  stderr=subprocess.PIPE, env=env, timeout=600)
            self.assertEqual(done.returncode, 4, done.stderr)
            self.assertIn(b"cannot be written", done.stderr)

    def test_a_full_disk_for_the_ledger(self):
        """The ledger's disk is full: an order whose intent cannot be recorded is not posted, and each line of the
        input has one outcome."""
        def small():
            import resource
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))

        lines = [resting(f"o{i:04}") for i in range(1000)]
        with Paper(clock=RUNNING) as p, FaultProxy(p) as b, TempHome() as home:
            broker = home.file("b.yaml", "budgets: off\n")
            given = home.file("lines", "".join(json.dumps(line) + "\n" for line in lines))
            with open(given, "rb") as stdin, Sender(b.url, home, "--broker", broker, stdin=stdin, preexec_fn=small,
                                                    restore_signals=False) as gate:
                code = gate.finish(len(lines))
            self.assertEqual(code, 4, gate.stderr)
            self.assertIn("ledger", gate.stderr)
            recorded = {r["id"] for r in home.rows("record = 'intent'")}
            self.assertEqual(set(b.posts), recorded)
            self.assertGreater(len(recorded), 5)
            outcomes = gate.outcomes()
            self.assertEqual(set(outcomes), {o["clientOrderId"] for o in lines}, "each line has an outcome")
            self.assertLess(len(recorded), len(outcomes))
            for i in set(outcomes) - recorded:
                self.assertEqual(outcomes[i], "not-sent", i)
                self.assertIn("ledger", gate.event("outcome", i)["text"])
            for i in recorded:
                self.assertEqual(outcomes[i], "working", i)
            again = lines[:len(recorded) + 20]
            code, gate = send(b.url, home, again, "--broker", broker)
            self.assertEqual((code, gate.outcomes()), (0, {o["clientOrderId"]: "working" for o in again}))
            self.assertEqual(b.posts, {o["clientOrderId"]: 1 for o in again})


if __name__ == "__main__":
    main()
