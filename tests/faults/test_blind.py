"""Cancels and closes while the account list or the account cannot be read: the broker answers nothing but DELETE and
POST, and the other requests fail for the whole run.

OG_POLICY names a shipped policy to use in all tests.
"""
import json
import unittest

from fault_proxy import FaultProxy, answer
from paper import option, spread, stock
from parallel_unittest import WAITING, main
from sender import RUNNING, TempHome, posts
from test_cancels import ACCOUNT, POLICY, Sender, Paper, cancel, deletes, resting, state
from test_halt import halt

READS = ["GET accounts", "GET account", "GET orders", "GET positions"]
LIST = "/v1/api/accounts"
LACKING = {"asleep": answer(200, b'{"accounts":[]}'),
           "not reached by these keys": answer(200, b'{"accounts":[{"account":"OTHER001","accountType":"Paper"}]}')}
DOWN, BUSY, SLOW, CUT = ({"do": "status", "status": 500}, {"do": "status", "status": 429}, {"do": "hang"},
                         {"do": "truncate"})


def fail(paper, on, how):
    paper.control("POST", "faults", {"on": on, "count": 1000000, **how})


class World:
    """A brokerage that has an order "old" of somebody else, and of which some parts cannot be read."""

    def __init__(self, *faults):
        self.faults, self.paper, self.home = faults, Paper(clock=RUNNING), TempHome()

    def __enter__(self):
        self.paper.__enter__()
        self.paper.control("PUT", "positions/" + ACCOUNT, [
            {"symbol": symbol, "side": "Long", "shares": 1000, "priceAvg": 190, "dayOvernight": "Day"}
            for symbol in ("AAPL", "MSFT")])
        assert self.make("old").status == 200
        for on, how in self.faults:
            fail(self.paper, on, how)
        return self

    def __exit__(self, *how):
        self.paper.__exit__(*how)
        self.home.__exit__(*how)

    def make(self, order_id, **changes):
        return self.paper.order(resting(order_id, **changes))

    def gate(self, *args, **more):
        return Sender(self.paper.url, self.home, "--account", ACCOUNT, *args, **more)


def closing(order_id, **changes):
    return resting(order_id, **{"side": "Sell", "openClose": "Close", "limitPrice": 250, **changes})


def opening(order_id):
    return resting(order_id, side="Buy", openClose="Open", limitPrice=150)


class Blind(unittest.TestCase):
    def check_cancel(self, world, *args):
        with world, world.gate("--timeout", "1s", "--wait", "5s", *args, lines=[cancel("old")]) as g:
            code = g.finish(1)
            done = g.event("outcome", "old")
            self.assertEqual(len(deletes(world.paper, "old")), 1, (g.events, g.stderr))
            self.assertEqual((state(world.paper, "old"), done["outcome"], code), ("Canceled", "canceled", 4), g.stderr)
            self.assertIn("cannot be read" if "GET accounts" not in dict(world.faults) else "account list", g.stderr)
            return g

    def test_a_cancel(self):
        for on in READS:
            with self.subTest(on=on):
                self.check_cancel(World((on, DOWN)))

    def test_a_cancel_where_it_is_too_busy(self):
        self.check_cancel(World(("GET orders", BUSY)))

    def test_a_cancel_where_the_list_is_too_busy(self):
        self.check_cancel(World(("GET accounts", BUSY)))

    def test_a_cancel_where_nothing_is_answered(self):
        self.check_cancel(World(("GET orders", SLOW)))

    def test_a_cancel_where_the_list_is_not_answered(self):
        self.check_cancel(World(("GET accounts", SLOW)))

    def test_a_cancel_where_answers_are_cut(self):
        self.check_cancel(World(("GET account", CUT)))

    def test_a_cancel_where_all_fails(self):
        self.check_cancel(World(*((on, DOWN) for on in READS)))

    def test_wrong_facts(self):
        """The broker answers the account list and the account in shapes that the documentation does not describe."""
        for fields in ({"accountStatus": "Closed"}, {"bp": -1000000, "equity": 0}, {"optLevel": 0}):
            with self.subTest(fields=fields):
                with World() as w:
                    w.paper.control("PUT", "accounts/" + ACCOUNT, fields)
                    with w.gate(lines=[cancel("old")]) as g:
                        self.assertEqual(g.finish(1), 0, g.stderr)
                        self.assertEqual(g.event("outcome", "old")["outcome"], "canceled")

    def test_a_cancel_while_halted(self):
        world = World(("GET account", DOWN), ("GET accounts", DOWN))
        self.assertIn('"halted":true', halt(world.home, "--all").stdout)
        self.check_cancel(world)

    def test_a_cancel_over_every_limit(self):
        world = World(("GET orders", DOWN))
        policy = world.home.file("over.yaml", json.dumps({"ordergate": 1, "extends": [POLICY or "default"], "rules": {
            "open-orders": {"level": "refuse", "in_total": 0}, "exposure": {"level": "refuse", "gross": 100},
            "position-limit": {"level": "refuse", "shares": 1}}}))
        self.check_cancel(world, "-p", policy)

    def test_an_account_named_by_the_line(self):
        with World(("GET accounts", DOWN)) as w, Sender(w.paper.url, w.home, "--wait", "5s") as g:
            g.feed(cancel("old", accountId=ACCOUNT), cancel("old"))
            self.assertEqual(g.event("outcome", line=1)["outcome"], "canceled")
            self.assertEqual(g.event("outcome", line=2)["outcome"], "not-sent")
            self.assertEqual(g.finish(2), 4)

    def test_an_order_of_an_earlier_run(self):
        with World() as w:
            with w.gate(lines=[closing("mine", limitPrice=251)]) as g:
                self.assertEqual(g.finish(1), 0, g.stderr)
            fail(w.paper, "GET orders", DOWN)
            with w.gate(lines=[cancel("mine")]) as g:
                self.assertEqual(g.finish(1), 4)
                self.assertEqual(g.event("outcome", "mine")["outcome"], "canceled")

    def check_unheard(self, line, expected):
        """Lines about an order of another program, which no list, row or ledger showed before reading failed."""
        with World() as w, w.gate("--wait", "5s") as g:
            g.feed(closing("first", limitPrice=260))
            g.event("outcome", "first", outcome="working")
            fail(w.paper, "stream portfolio", {"do": "drop-frame"})
            for on in READS:
                fail(w.paper, on, DOWN)
            g.wait_stderr("cannot be read")
            assert w.make("late").status == 200
            g.feed(line)
            done = g.event("outcome", line=2)
            self.assertEqual((done["outcome"], state(w.paper, "late")), (expected, "Canceled"), g.events_of("decision"))
            self.assertEqual(len(deletes(w.paper, "late")), 1)
            g.finish(2)
            return g

    def test_a_cancel_of_an_order_made_since(self):
        """The list that was read before lacks the order, but the order may have been made since: the cancel is sent."""
        g = self.check_unheard(cancel("late"), "canceled")
        self.assertEqual([(f["reason"], f["unsure"]) for f in g.event("decision", line=2)["findings"]
                          if f["reason"].startswith("cancel-")], [("cancel-unknown-id", True)])

    def test_a_replacement_of_an_order_made_since(self):
        self.check_unheard(closing("new", limitPrice=255, replaces="late"), "working")

    def test_orders(self):
        """Orders that only close are posted, also in a symbol in which nothing is known to work. Orders that open are
        not posted, and are reported as not sent instead of refused."""
        for on in ("GET account", "GET orders", "GET positions"):
            with self.subTest(on=on), World((on, DOWN)) as w:
                lines = [opening("opens"), closing("closes", symbol="MSFT", limitPrice=900)]
                with w.gate("--wait", "3s", lines=lines) as g:
                    self.assertIn(g.finish(2), (4, 5))
                    self.assertEqual(g.outcomes()["opens"], "not-sent")
                    self.assertEqual(len(posts(w.paper, "opens")), 0)
                    self.assertEqual(g.event("decision", "closes")["verdict"], "accept", g.event("decision", "closes"))
                    self.assertEqual(len(posts(w.paper, "closes")), 1)

    @unittest.skipIf(POLICY, "the orders are those of the default policy")
    def test_a_reading_is_denied_once(self):
        """Orders wait for the next reading, which tells what is held: a close of more is refused, a close that fits and
        an order that opens are sent. A cancel does not wait."""
        for on in ("GET account", "GET orders", "GET positions"):
            for status in (401, 403, 404):
                with self.subTest(on=on, status=status), \
                        World((on, {"do": "status", "status": status, "count": 1})) as w:
                    lines = [closing("much", orderQuantity=2000), cancel("old"), closing("fits", orderQuantity=100),
                             opening("opens")]
                    with w.gate("--wait", "5s", lines=lines) as g:
                        g.finish(4)
                        self.assertEqual((g.outcomes(), len(posts(w.paper, "much"))),
                                         ({"much": "refused", "old": "canceled", "fits": "working", "opens": "working"},
                                          0), g.stderr)
                        self.assertIn("close-exceeds-position", str(g.event("decision", "much")["findings"]))
                        self.assertIn("HTTP %d" % status, g.stderr)

    @unittest.skipIf(POLICY, "the orders are those of the default policy")
    def test_readings_are_denied_for_good(self):
        """After four such readings nothing is known of the account: an order that only closes is posted, as after a
        reading that failed otherwise."""
        for on in ("GET account", "GET positions"):
            with self.subTest(on=on), World((on, {"do": "status", "status": 404})) as w:
                with w.gate("--wait", "5s", lines=[closing("closes", limitPrice=252), opening("opens")]) as g:
                    g.finish(2)
                    self.assertEqual((g.outcomes()["opens"], len(posts(w.paper, "closes"))), ("not-sent", 1), g.stderr)
                asked = [r["path"] for r in w.paper.control("GET", "requests?since=0")["requests"]
                         if r["path"].endswith("/positions" if on == "GET positions" else "/" + ACCOUNT)]
                self.assertGreaterEqual(len(asked), 4)

    @unittest.skipIf(POLICY, "the orders are those of the default policy")
    def test_working_closes_count_where_positions_are_never_read(self):
        """A close that working orders cover already, of this run or of an earlier one, is refused by a policy that
        refuses it elsewhere; a close of which nothing is known is sent."""
        for how in ({"do": "status", "status": 404}, DOWN):
            with self.subTest(how=how), World() as w:
                policy = w.home.file("refuses.yaml", json.dumps({"ordergate": 1, "extends": ["default"], "rules": {
                    "close-position": {"reasons": {"close-exceeds-position": "refuse"}}}}))
                with w.gate(lines=[closing("first", orderQuantity=1000)]) as g:
                    self.assertEqual(g.finish(1), 0, g.stderr)
                fail(w.paper, "GET positions", how)
                with w.gate("-p", policy, "--wait", "5s", lines=[
                        closing("second", orderQuantity=100), closing("other", symbol="MSFT", orderQuantity=10),
                        closing("again", symbol="MSFT", orderQuantity=10)]) as g:
                    g.finish(3)
                    told = g.outcomes()
                    self.assertEqual((told["second"], told["again"], len(posts(w.paper, "second"))),
                                     ("refused", "refused", 0), g.stderr)
                    self.assertIn("an unknown number are held and working orders close 1000 of them",
                                  str(g.event("decision", "second")["findings"]))
                    self.assertEqual(len(posts(w.paper, "other")), 1)

    def test_each_kind_that_opens(self):
        """Whatever the policy decides about unknown facts, an order that opens is reported as not sent, with the
        reason, and not as refused. A line that is not a valid order is refused as usual."""
        lines = [stock("limit"), stock("market", orderType="Market", limitPrice=None),
                 stock("stop", orderType="Stop", stopPrice=200, limitPrice=None),
                 stock("short", side="Sell", limitPrice=250), option("option"), option("either", openClose=None),
                 spread("spread"), stock("other", symbol="MSFT", limitPrice=1)]
        with World(("GET positions", DOWN)) as w:
            with w.gate("--wait", "3s", lines=[*lines, stock("form", side="Up")]) as g:
                self.assertEqual(g.finish(len(lines) + 1), 4)
                self.assertEqual(g.outcomes(), {**{line["clientOrderId"]: "not-sent" for line in lines},
                                                "form": "refused"})
                self.assertEqual({e["clientOrderId"] for e in g.events_of("decision")}, {"form"})
                for event in g.events_of("outcome")[:-1]:
                    self.assertIn("cannot be read", event["text"])
            self.assertEqual(posts(w.paper), posts(w.paper, "old"))

    def test_no_order_without_the_list(self):
        """Only the account list says whether the user may send for an account, so nothing is posted without it."""
        with World(("GET accounts", DOWN)) as w, w.gate(lines=[closing("closes", limitPrice=252)]) as g:
            self.assertEqual(g.finish(1), 4, g.stderr)
            self.assertEqual(g.outcomes()["closes"], "not-sent")
            self.assertEqual(len(posts(w.paper, "closes")), 0)

    def test_it_is_read_after_all(self):
        for on in READS:
            with self.subTest(on=on), World((on, {"do": "status", "status": 500})) as w, w.gate() as g:
                g.wait_stderr("cannot be read" if on != "GET accounts" else "account list")
                g.feed(cancel("old"))
                self.assertEqual(g.event("outcome", "old")["outcome"], "canceled")
                w.paper.control("DELETE", "faults")
                n, outcome = 0, "not-sent"
                while outcome == "not-sent":  # asked for again within seconds
                    n += 1
                    g.feed(closing("n%d" % n, symbol="MSFT", limitPrice=900 + n) if POLICY else opening("n%d" % n))
                    outcome = g.event("outcome", "n%d" % n)["outcome"]
                    if POLICY and on != "GET accounts":
                        break  # what closes goes at once
                self.assertEqual((outcome, len(posts(w.paper, "n%d" % n))), ("working", 1))
                g.finish(n + 1)

    def test_an_account_in_small_letters(self):
        """A run that never reads the account list records the account as the service writes it, so that the next run,
        which reads the list, knows its orders."""
        with World(("GET accounts", {"do": "status", "status": 500})) as w:
            with Sender(w.paper.url, w.home, "--account", ACCOUNT.lower(), "--timeout", "1s", "--wait", "5s",
                        lines=[cancel("old"), cancel("old", accountId=ACCOUNT.lower())]) as g:
                g.finish(2)
                self.assertEqual(state(w.paper, "old"), "Canceled", g.stderr)
            self.assertEqual({r["account"] for r in w.home.rows("account <> ''")}, {ACCOUNT})

    def test_an_account_that_is_not_in_the_list(self):
        with World(("GET accounts", {"do": "status", "status": 500})) as w:
            with Sender(w.paper.url, w.home, "--account", "OTHER001") as g:
                g.wait_stderr("account list")
                g.feed(cancel("old"))
                self.assertEqual(g.event("outcome", "old")["outcome"] in ("canceled",), False)
                w.paper.control("DELETE", "faults")
                g.wait_stderr("not reached by these keys")
                self.assertEqual(g.finish(), 4)
            self.assertEqual(state(w.paper, "old"), "New")

    def test_the_keys_are_refused_once(self):
        """A single wrong answer of the account list does not end the run: the cancel is sent, and the close once the
        list was read."""
        for status in (401, 403, 404):
            with self.subTest(status=status):
                with World(("GET accounts", {"do": "status", "status": status, "count": 1})) as w:
                    lines = [cancel("old"), closing("closes", limitPrice=252)]
                    with w.gate("--wait", "5s", lines=lines) as g:
                        self.assertEqual(g.finish(2), 0, g.stderr)
                        self.assertEqual(g.outcomes(), {"old": "canceled", "closes": "working"}, g.stderr)
                        self.assertEqual(len(deletes(w.paper, "old")), 1)
                        for way in ("HTTP %d" % status, "ordergate broker cancel", "ordergate halt --cancel-all"):
                            self.assertIn(way, g.stderr)

    def test_the_list_is_refused_for_good(self):
        """If the broker takes a cancel, the keys are good: the run goes on as it does when the list fails for another
        reason."""
        for status in (401, 403, 404):
            with self.subTest(status=status):
                with World(("GET accounts", {"do": "status", "status": status})) as w, w.gate("--wait", "5s") as g:
                    g.feed(cancel("old"), closing("closes", limitPrice=252))
                    self.assertEqual(g.event("outcome", "old")["outcome"], "canceled")
                    self.assertEqual(g.event("outcome", "closes")["outcome"], "not-sent")
                    assert w.make("late").status == 200
                    g.feed(cancel("late"))
                    self.assertEqual(g.event("outcome", "late")["outcome"], "canceled")
                    self.assertEqual((g.finish(3), len(posts(w.paper, "closes"))), (4, 0))

    def test_the_list_lacks_the_account_once(self):
        """A list without any account, or without the run's own, is like one that refuses the keys: the cancel goes, and
        the close once the list has the account."""
        for told in LACKING:
            with self.subTest(told), World() as w, FaultProxy(w.paper, gets={LIST: LACKING[told]}) as b, \
                    Sender(b.url, w.home, "--account", ACCOUNT, "--wait", "5s") as g:
                g.feed(cancel("old"), closing("closes", limitPrice=252))
                self.assertEqual(g.event("outcome", "old")["outcome"], "canceled")
                for part in (told, "ordergate broker cancel"):
                    self.assertIn(part, g.stderr)
                b.gets.clear()
                self.assertEqual(g.event("outcome", "closes")["outcome"], "working")
                self.assertEqual((g.finish(2), len(deletes(w.paper, "old"))), (0, 1))

    def test_the_list_lacks_the_account_for_good(self):
        """Without a cancel that the broker took, the run ends after four lists. A line may name the account."""
        for told in LACKING:
            with self.subTest(told), World() as w, FaultProxy(w.paper, gets={LIST: LACKING[told]}) as b:
                with Sender(b.url, w.home, "--account", ACCOUNT) as g:
                    g.feed(closing("closes", limitPrice=252))
                    self.assertIn(told, g.event("outcome", "closes", outcome="not-sent")["text"])
                    g.process.wait(timeout=600)
                    self.assertEqual((g.finish(), b.count(LIST)), (4, 4))
        with World() as w, FaultProxy(w.paper, gets={LIST: LACKING["asleep"]}) as b, Sender(b.url, w.home) as g:
            g.feed(cancel("old", accountId=ACCOUNT))
            self.assertEqual(g.event("outcome", "old")["outcome"], "canceled")
            self.assertEqual(g.finish(1), 4)

    def test_the_keys_are_refused_for_good(self):
        """The run asks for the list four times, and tries the cancel meanwhile. It ends although its input is open."""
        with World() as w, w.gate("--wait", "5s", keys=("paper-key", "wrong-secret!")) as g:
            g.feed(cancel("old"), closing("closes", limitPrice=252))
            done = g.event("outcome", "old")
            self.assertEqual(done["outcome"], "rejected", done)
            self.assertEqual(g.event("outcome", "closes")["outcome"], "not-sent")
            self.assertIn("refused the keys", g.event("outcome", "closes")["text"])
            g.process.wait(timeout=600)
            self.assertEqual(g.finish(), 4)
            self.assertEqual(len([r for r in w.paper.control("GET", "requests?since=0")["requests"]
                                  if r["path"].endswith("/accounts")]), 4)
            self.assertIn(state(w.paper, "old"), ("PendingNew", "New"))


if __name__ == "__main__":
    main(WAITING)
