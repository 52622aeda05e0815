"""What a replacement says if it does not work in the end: whether the old order works, what is not known, and what
helps. A person who moves a stop learns from it whether the position has one."""
import json
import unittest

from paper import Paper
from parallel_unittest import main
from sender import RUNNING, Sender, TempHome, posts, resting, send, stock
from test_account import BOTH
from test_cancels import KEYS, cancel

BARE = "the order 'old' that it replaces is canceled"
NEITHER = BARE + ", so neither works: if they are the stop of a position, it has none"
CANCELED = ("the order 'old' that it replaces was canceled, and this one was never sent, so neither works: if they are "
            "the stop of a position, it has none")
RESOLVE = "ordergate ledger resolve 'new' --as OUTCOME --reason TEXT"
LATE = {"cancel": "5m"}  # from a cancel to Canceled; the fault "delay" delays only its reply
LIMITED = "ordergate: 1\nextends: [default]\nrules: {position-limit: {level: refuse, shares: 300}}\n"


def new(order_id="new", old="old", **changes):
    return resting(order_id, replaces=old, **changes)


def canceled(paper):
    return [r for r in paper.control("GET", "requests?since=0")["requests"] if r["method"] == "DELETE"]


def fault(paper, on, do, **more):
    paper.control("POST", "faults", {"on": on, "do": do, "count": 1000, **more})


class ReplaceTexts(unittest.TestCase):
    def begin(self, paper, gate):
        gate.feed(resting("old"))
        gate.event("outcome", "old", outcome="working")

    def unknown(self, told):
        self.assertIn(BARE, told["text"])
        self.assertIn("not known", told["text"])
        self.assertIn("may have none", told["text"])
        self.assertIn(RESOLVE, told["text"])

    def test_of_unknown_outcome(self):
        """The POST of the new order was lost after the old one was canceled. Its outcome, that of its line in a later
        run, and the refusals of further replacements say what to do."""
        with Paper(clock=RUNNING) as p, TempHome() as home:
            with Sender(p.url, home, "--wait", "3s") as gate:
                self.begin(p, gate)
                fault(p, "POST order", "drop-request")
                gate.feed(new())
                told = gate.event("outcome", "new")
                self.assertEqual(told["outcome"], "unknown")
                self.unknown(told)
                self.again(gate, 3)
                gate.finish()
            with Sender(p.url, home, "--wait", "3s") as gate:
                self.again(gate, 1)
                gate.feed(new())
                told = gate.event("outcome", "new")
                self.assertEqual((told["outcome"], told["otherRun"]), ("unknown", True))
                self.unknown(told)
                gate.finish()

    def again(self, gate, line):
        """Replacements of the old order, and of the one whose outcome is not known, are refused with that advice."""
        gate.feed(new("newer%d" % line), new("newest%d" % line, old="new"))
        for order_id, first in (("newer%d" % line, "the order 'old' that it replaces was already replaced by 'new'"),
                                ("newest%d" % line, "the order 'new' that it replaces")):
            told = gate.event("outcome", order_id)
            self.assertEqual(told["outcome"], "refused")
            self.assertTrue(told["text"].startswith(first), told["text"])
            self.assertIn("not known", told["text"])
            self.assertIn("may have none", told["text"])
            self.assertIn(RESOLVE, told["text"])

    def test_that_did_not_work_in_the_end(self):
        """The old order is canceled, and the new one is rejected, not sent or refused."""
        for status, outcome, why in ((400, "rejected", ""), (404, "not-sent", "HTTP 404"),
                                     (401, "not-sent", "HTTP 401"), (429, "not-sent", "HTTP 429")):
            with self.subTest(status), Paper(clock=RUNNING) as p, TempHome() as home, \
                    Sender(p.url, home, "--wait", "3s") as gate:
                self.begin(p, gate)
                fault(p, "POST order", "status", status=status)
                gate.feed(new())
                told = gate.event("outcome", "new")
                self.assertEqual(told["outcome"], outcome)
                self.assertIn(why, told["text"])
                self.assertTrue(told["text"].endswith(NEITHER), told["text"])
                gate.finish()

    def withdrawn(self, gate, how, restored=True):
        """The replacement was canceled before it was posted: the outcomes of both lines say what became of the old
        order, and with which line it can be had again."""
        told = [gate.event("outcome", "new", op=op) for op in (None, "cancel")]
        for one in told:
            self.assertEqual(one["outcome"], "canceled")
            self.assertTrue(one["text"].startswith("canceled before it was posted; " + how), one["text"])
            self.assertIn("if they are the stop of a position, it has none", one["text"])
        line = told[0]["text"].partition("send the line ")[2]
        self.assertEqual(line != "", restored, told[0]["text"])
        return json.loads(line) if restored else None

    def restore(self, paper, gate, line):
        """The line makes an order with the terms of the old one, under another id."""
        self.assertNotIn("clientOrderId", line)
        before = len(posts(paper))
        gate.feed(line)
        gate.wait_until(lambda: any(e["outcome"] == "working" and e["clientOrderId"] not in ("old", "new")
                                    for e in gate.events_of("outcome")), "the outcome of the restored order")
        self.assertEqual(len(posts(paper)), before + 1)
        bodies = [json.loads(r["body"]) for r in posts(paper)]
        self.assertEqual({k: v for k, v in bodies[-1].items() if k != "clientOrderId"},
                         {k: v for k, v in bodies[0].items() if k != "clientOrderId"})

    def test_that_is_canceled_while_the_old_order_is(self):
        with Paper(clock=RUNNING) as p, TempHome() as home, Sender(p.url, home, "--tag", "mm") as gate:
            self.begin(p, gate)
            p.control("PUT", "delays", LATE)
            gate.feed(new())
            gate.wait_row("record = 'replace'")
            gate.feed(cancel("new"))
            line = self.withdrawn(gate, "the order 'old' that it replaces is being canceled, and this one is never "
                                        "sent, so neither works then")
            self.assertEqual((line["accountId"], line["tag"]), ("PAPER0001", "mm"))
            p.advance("5m")
            gate.wait_row("id = 'old' AND state = 'canceled'")
            self.restore(p, gate, line)
            gate.finish()

    def test_that_is_canceled_after_the_old_order_is(self):
        """It waits to be posted again after a 429; a later run that reads its line says the same."""
        with Paper(clock=RUNNING) as p, TempHome() as home:
            with Sender(p.url, home) as gate:
                self.begin(p, gate)
                fault(p, "POST order", "status", status=429)
                gate.feed(new())
                gate.wait_until(lambda: posts(p, "new"), "its POST")
                gate.feed(cancel("new"))
                line = self.withdrawn(gate, CANCELED)
                p.control("DELETE", "faults")
                self.restore(p, gate, line)
                gate.finish()
            with Sender(p.url, home, lines=[new()]) as gate:
                gate.finish(1)
                self.assertIn(CANCELED, gate.event("outcome", "new", outcome="canceled")["text"])

    def test_that_is_canceled_while_it_waits_for_a_reading(self):
        with Paper(clock=RUNNING) as p, TempHome() as home, Sender(p.url, home) as gate:
            self.begin(p, gate)
            fault(p, "GET positions", "delay", delay="8s")
            gate.feed(new())
            gate.wait_row("id = 'old' AND state = 'canceled'")
            gate.feed(cancel("new"))
            self.withdrawn(gate, "the order 'old' that it replaces ")
            gate.finish()

    def test_of_an_order_made_elsewhere(self):
        """Its terms are not on record: where they are shown is said."""
        with Paper(clock=RUNNING) as p, TempHome() as home, Sender(p.url, home) as gate:
            gate.feed(resting("first"))
            gate.event("outcome", "first", outcome="working")
            p.order(resting("old"))
            p.control("PUT", "delays", LATE)
            gate.feed(new())
            gate.wait_row("record = 'replace'")
            gate.feed(cancel("new"))
            self.withdrawn(gate, "the order 'old' that it replaces is being canceled", restored=False)
            self.assertIn("ordergate broker order 'old' shows them", gate.event("outcome", "new")["text"])
            p.advance("5m")
            gate.finish()

    def test_of_an_order_that_filled_in_part(self):
        with Paper(clock=RUNNING) as p, TempHome() as home, Sender(p.url, home) as gate:
            self.begin(p, gate)
            p.quote("AAPL", 140, 140.02, askSize=4)
            gate.event("update", "old", executed=4)
            p.control("PUT", "delays", LATE)
            gate.feed(new(orderQuantity=6))
            gate.wait_row("record = 'replace'")
            gate.feed(cancel("new"))
            self.withdrawn(gate, "the order 'old' that it replaces is being canceled")
            self.assertIn("less the 4 that it filled", gate.event("outcome", "new")["text"])
            p.advance("5m")
            gate.finish()

    def test_that_is_refused_after_the_cancel(self):
        """A trade made elsewhere during the cancel leaves no room for the new order."""
        with Paper(clock=RUNNING) as p, TempHome() as home:
            limits = home.file("limits.yaml", LIMITED)
            with Sender(p.url, home, "-p", limits) as gate:
                self.begin(p, gate)
                p.control("PUT", "delays", LATE)
                gate.feed(new(orderQuantity=200))
                gate.wait_until(lambda: canceled(p), "the cancel")
                p.control("PUT", "positions/PAPER0001", [{"symbol": "AAPL", "side": "Long", "shares": 200,
                                                          "priceAvg": 150, "dayOvernight": "Day"}])
                p.advance("5m")
                told = gate.event("outcome", "new", outcome="refused")
                self.assertEqual([f["reason"] for f in gate.event("decision", "new")["findings"]
                                  if f["level"] == "refuse"], ["position-above-limit"])
                self.assertTrue(told["text"].endswith(NEITHER), told["text"])
                gate.finish()

    def test_whose_cancel_failed(self):
        """The old order stays, and giving the replacement again is what helps; the cancel of a line is to be given
        again."""
        for status, outcome in ((400, "HTTP 400 to the cancel"), (401, "HTTP 401 to the cancel" + KEYS),
                                (429, "HTTP 429 to the cancel until --wait was over")):
            with self.subTest(status), Paper(clock=RUNNING) as p, TempHome() as home, \
                    Sender(p.url, home, "--wait", "3s") as gate:
                self.begin(p, gate)
                fault(p, "DELETE order", "status", status=status)
                gate.feed(new())
                told = gate.event("outcome", "new")
                self.assertEqual((told["outcome"], told["text"]), (
                    "refused", "the order 'old' that it replaces is not canceled: the broker answered " + outcome
                    + "; it still works: give the replacement again"))
                gate.finish()

    def test_whose_cancel_has_no_end(self):
        """The cancel was sent, and the broker does not show its end: the old order may be canceled later."""
        with Paper(clock=RUNNING) as p, TempHome() as home, Sender(p.url, home, "--wait", "3s") as gate:
            self.begin(p, gate)
            fault(p, "DELETE order", "drop-request")
            gate.feed(new())
            told = gate.event("outcome", "new")
            self.assertEqual((told["outcome"], told["text"]), (
                "refused", "the order 'old' that it replaces still works, although its cancel was sent: if it is "
                "canceled later and is the stop of a position, it has none then. Give the replacement again"))
            gate.finish()

    def test_whose_old_order_is_not_there(self):
        """A stop closes all that is held, so a close is refused unless it replaces the stop. With the id of another
        order its text says what became of that one, and that nothing was done."""
        rules = "{level: refuse, reasons: {close-exceeds-position: refuse}}"
        with TempHome() as home, Paper("--scenario", home.file("both.yaml", BOTH), clock=RUNNING) as p:
            for account in ("PAPER0001", "PAPER0002"):
                p.control("PUT", "positions/" + account, [{"symbol": "AAPL", "side": "Long", "shares": 100,
                                                           "priceAvg": 150, "dayOvernight": "Day"}])
            policy = home.file("p.yaml", f"ordergate: 1\nextends: [default]\nrules: {{close-position: {rules}}}\n")
            with Sender(p.url, home, "-p", policy, "--wait", "5s") as gate:
                one = {"accountId": "PAPER0001"}
                close = {**one, "side": "Sell", "openClose": "Close", "orderQuantity": 100, "limitPrice": 250}
                stop = {**close, "orderType": "Stop", "limitPrice": None, "stopPrice": 120}
                gate.feed(resting("canceled", **one), stock("filled", orderType="Market", limitPrice=None, **one),
                          resting("elsewhere", **{**stop, "accountId": "PAPER0002"}))
                gate.event("outcome", "canceled", outcome="working")
                gate.event("outcome", "elsewhere", outcome="working")
                gate.event("update", "filled", orderStatus="Filled")
                gate.feed({"op": "cancel", "clientOrderId": "canceled", **one})
                gate.event("outcome", "canceled", op="cancel")
                gate.feed(resting("stop", **stop), resting("bar", symbol="F", limitPrice=1, **one))
                gate.event("outcome", "stop", outcome="working")
                gate.event("outcome", "bar", outcome="working")
                deletes = len(canceled(p))
                for old, why in (("nobody", "cannot be canceled: no order 'nobody' was ever accepted on this account"),
                                 ("canceled", "cannot be canceled: order 'canceled' is Canceled, there is nothing "
                                  "left to cancel"),
                                 ("filled", "cannot be canceled: order 'filled' is Filled, there is nothing left to "
                                  "cancel"),
                                 ("elsewhere", "works in account PAPER0002, and not in PAPER0001"),
                                 ("bar", "is left as it is")):
                    with self.subTest(old):
                        gate.feed(resting("new-" + old, replaces=old, **{**close, "orderQuantity": 50}))
                        told = gate.event("outcome", "new-" + old)
                        self.assertEqual(told["outcome"], "refused")
                        self.assertIn(f"the order '{old}' that it replaces {why}", told["text"])
                        self.assertIn("nothing was canceled and nothing sent", told["text"])
                self.assertEqual(len(canceled(p)), deletes)
                gate.finish()

    def test_one_that_works_says_nothing(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            code, gate = send(p.url, home, [resting("old"), new()])
            self.assertEqual((code, gate.event("outcome", "new")["text"]), (0, None))


if __name__ == "__main__":
    main()
