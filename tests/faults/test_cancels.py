"""Cancels and replaces: a DELETE is sent once, its answer not believed, and repeated only after a look-up; every line has one outcome."""
import json
import signal
import unittest

from gate import RUNNING, Gate, Home, Paper, posts, resting, send, stock
from together import main


def cancel(order_id, **more):
    return {"op": "cancel", "clientOrderId": order_id, **more}


def deletes(paper, order_id=None):
    seen = [r for r in paper.control("GET", "requests?since=0")["requests"] if r["method"] == "DELETE"]
    return [r for r in seen if order_id is None or r["path"].endswith("/" + order_id)]


def state(paper, order_id):
    return next(o["orderStatus"] for o in paper.control("GET", "orders")["orders"] if o["clientOrderId"] == order_id)


class Cancels(unittest.TestCase):
    def test_an_order_of_this_run(self):
        with Paper(clock=RUNNING) as p, Home() as home:
            code, gate = send(p.url, home, [resting("a"), resting("b"), cancel("a")])
            self.assertEqual(code, 0, gate.stderr)
            self.assertEqual({e["line"]: (e["clientOrderId"], e["outcome"]) for e in gate.all("outcome")},
                             {1: ("a", "working"), 2: ("b", "working"), 3: ("a", "canceled")})
            self.assertEqual(len(deletes(p)), 1)
            self.assertEqual((state(p, "a"), state(p, "b")), ("Canceled", "New"))
            done = gate.event("outcome", line=3)
            self.assertEqual((done["op"], done["accountId"], done["executed"]), ("cancel", "PAPER0001", 0))
            self.assertEqual(gate.event("decision", line=3)["verdict"], "accept")
            self.assertEqual(gate.event("cancel", "a", line=3)["http"], 200)
            self.assertEqual([r["record"] for r in home.rows("id = 'a' AND record = 'cancel'")], ["cancel"])
            self.assertEqual(home.newest("a")["state"], "canceled")

    def test_a_canceled_order_is_not_at_work_any_more(self):
        """Facts that were read while it worked are not decided by once it is seen Canceled."""
        with Paper(clock=RUNNING) as p, Home() as home:
            policy = home.file(
                "one.yaml", "ordergate: 1\nextends: [default]\nrules:\n  open-orders: {level: refuse, of_symbol: 1}\n")
            with Gate(p.url, home, "-p", policy) as gate:
                gate.give(resting("a"))
                self.assertEqual(gate.event("outcome", "a")["outcome"], "working")
                line = 2
                while not self.listed_since(p, "a"):  # the facts have it as one at work
                    gate.give(resting("b%d" % line, symbol="AAPL", limitPrice=-1))
                    gate.event("outcome", line=line)
                    line += 1
                gate.give(cancel("a"))
                self.assertEqual(gate.event("outcome", line=line)["outcome"], "canceled")
                gate.give(resting("c"))
                self.assertEqual(gate.event("decision", "c")["verdict"], "accept")
                self.assertEqual(gate.event("outcome", "c")["outcome"], "working")
                gate.finish(line + 1)

    def listed_since(self, paper, order_id):
        """The list of orders was read after that order was answered."""
        seen = paper.control("GET", "requests?since=0")["requests"]
        answered = max(r["n"] for r in seen if r["method"] == "POST" and order_id in r["body"])
        return any(r["n"] > answered and r["method"] == "GET" and r["path"].endswith("/orders") for r in seen)

    def test_two_lines_for_one_order_share_a_request(self):
        with Paper() as p, Home() as home, Gate(p.url, home) as gate:  # its clock stands
            gate.give(resting("a"))
            gate.event("posted", "a")
            gate.give(cancel("a"), cancel("a"))
            while len(deletes(p)) < 1:
                pass
            gate.event("decision", line=3)
            p.advance("1s")
            self.assertEqual(gate.event("outcome", line=2)["outcome"], "canceled")
            self.assertEqual(gate.event("outcome", line=3)["outcome"], "canceled")
            self.assertEqual(gate.finish(3), 0)
            self.assertLessEqual(len(deletes(p)), 2, "one before it was registered, one after")

    def test_an_order_of_an_earlier_run_and_one_of_somebody_else(self):
        with Paper(clock=RUNNING) as p, Home() as home:
            send(p.url, home, [resting("mine")])
            p.order(resting("theirs"))
            code, gate = send(p.url, home, [cancel("mine"), cancel("theirs"), cancel("nobody")])
            self.assertEqual([e["outcome"] for e in gate.all("outcome") if e["line"] in (1, 2)], ["canceled"] * 2)
            self.assertEqual(gate.event("outcome", "nobody")["outcome"], "refused")
            self.assertEqual(gate.event("decision", "nobody")["findings"][0]["reason"], "cancel-unknown-id")
            self.assertEqual((code, deletes(p, "nobody")), (1, []))
            self.assertEqual((state(p, "mine"), state(p, "theirs")), ("Canceled", "Canceled"))
            self.assertEqual(home.newest("mine")["state"], "canceled")

    def test_what_is_over_is_not_canceled(self):
        with Paper(clock=RUNNING) as p, Home() as home:
            send(p.url, home, [stock("full")], "--until", "final")
            code, gate = send(p.url, home, [cancel("full")])
            self.assertIn(gate.event("outcome", "full")["outcome"], ("filled", "refused"))
            self.assertEqual(deletes(p), [])

    def test_it_fills_first(self):
        """The cancel comes too late: its line says what the order came to."""
        with Paper() as p, Home() as home, Gate(p.url, home, "--until", "final") as gate:
            p.control("POST", "faults", {"on": "DELETE order", "do": "drop-request"})
            gate.give(resting("a", limitPrice=180))
            gate.event("posted", "a")
            p.advance("1s")
            gate.event("update", "a", orderStatus="New")
            gate.give(cancel("a"))
            while not deletes(p):
                pass
            p.quote("AAPL", 170, 170.02)
            p.advance("1s")
            self.assertEqual(gate.event("outcome", line=2)["outcome"], "filled")
            self.assertEqual(gate.event("outcome", line=1)["outcome"], "filled")
            self.assertEqual(gate.finish(2), 0)

    def lost(self, deed, **more):
        with Paper(clock=RUNNING) as p, Home() as home, Gate(p.url, home) as gate:
            gate.give(resting("a"))
            gate.event("outcome", "a", outcome="working")
            p.control("POST", "faults", {"on": "DELETE order", "do": deed, **more})
            gate.give(cancel("a"))
            self.assertEqual(gate.event("outcome", line=2)["outcome"], "canceled")
            self.assertEqual(gate.finish(2), 0, gate.stderr)
            seen = p.control("GET", "requests?since=0")["requests"]
            at = [i for i, r in enumerate(seen) if r["method"] == "DELETE"]
            return at, [r["path"].endswith(("/order/a", "/orders")) for r in seen[at[0]:at[-1]]]

    def test_an_answer_that_is_lost_is_looked_up(self):
        """The DELETE had its effect: it is not sent again."""
        for deed in ("drop-reply", "truncate"):
            with self.subTest(deed):
                self.assertEqual(len(self.lost(deed)[0]), 1)

    def test_a_request_that_is_lost_is_repeated_after_a_look_up(self):
        for deed, more in (("drop-request", {}), ("status", {"status": 503}), ("status", {"status": 404})):
            with self.subTest(deed, **more):
                at, between = self.lost(deed, **more)
                self.assertEqual(len(at), 2)
                self.assertIn(True, between, "a look-up between the two")

    def test_a_busy_broker(self):
        self.assertEqual(len(self.lost("status", status=429)[0]), 2)

    def test_nothing_more_to_be_heard(self):
        """The order stays PendingCancel: the line ends with its wait."""
        with Paper() as p, Home() as home, Gate(p.url, home, "--wait", "2s") as gate:
            gate.give(resting("a"))
            gate.event("posted", "a")
            p.advance("1s")
            gate.event("outcome", "a", outcome="working")
            gate.give(cancel("a"))
            self.assertEqual(gate.event("outcome", line=2)["outcome"], "working")
            self.assertEqual((gate.finish(2), len(deletes(p))), (0, 1))

    def test_a_signal(self):
        """What is in flight is followed, what was not sent is not-sent."""
        with Paper() as p, Home() as home, Gate(p.url, home) as gate:
            gate.give(resting("a"))
            gate.event("posted", "a")
            p.advance("1s")
            gate.event("outcome", "a", outcome="working")
            gate.give(cancel("a"))
            gate.event("cancel", "a")
            gate.kill(signal.SIGTERM)
            p.advance("1s")
            self.assertEqual(gate.event("outcome", line=2)["outcome"], "canceled")
            self.assertEqual(gate.finish(2), 0)

    def test_without_effect(self):
        with Paper(clock=RUNNING) as p, Home() as home:
            send(p.url, home, [resting("a")])
            code, gate = send(p.url, home, [cancel("a"), {"op": "cancel"}], "--dry-run")
            self.assertEqual([e["outcome"] for e in gate.all("outcome")], ["not-sent", "refused"])
            self.assertEqual((code, deletes(p)), (4, []))


class Replaces(unittest.TestCase):
    def test_one_after_the_other(self):
        """The new order is posted once the old one is Canceled."""
        with Paper(clock=RUNNING) as p, Home() as home:
            code, gate = send(p.url, home, [resting("old"), resting("new", limitPrice=151, replaces="old")])
            self.assertEqual((code, gate.outcomes()), (0, {"old": "working", "new": "working"}), gate.stderr)
            self.assertEqual((state(p, "old"), state(p, "new")), ("Canceled", "New"))
            self.assertEqual((len(posts(p)), len(deletes(p, "old"))), (2, 1))
            self.assertNotIn("replaces", json.loads(posts(p, "new")[0]["body"]))
            order = [(r["method"], r["path"].rsplit("/", 1)[1]) for r in p.control("GET",
                                                                                   "requests?since=0")["requests"]
                     if r["method"] != "GET"]
            self.assertEqual(order, [("POST", "order"), ("DELETE", "old"), ("POST", "order")])
            self.assertEqual([f["rule"] for f in gate.event("decision", "new")["findings"]], ["route"])
            code, gate = send(p.url, home, [resting("new", limitPrice=151, replaces="old")])
            self.assertEqual((code, gate.outcomes(), len(posts(p))), (0, {"new": "working"}, 2),
                             "read again, it is resumed")

    def test_a_fill_stops_it(self):
        with Paper() as p, Home() as home, Gate(p.url, home) as gate:
            gate.give(resting("old", limitPrice=180))
            gate.event("posted", "old")
            p.advance("1s")
            gate.event("outcome", "old", outcome="working")
            p.control("POST", "faults", {"on": "DELETE order", "do": "drop-request", "count": 100})
            gate.give(resting("new", replaces="old"))
            while not deletes(p):
                pass
            p.quote("AAPL", 170, 170.02, askSize=4)
            p.advance("1s")
            gate.event("update", "old", executed=4)
            p.control("DELETE", "faults")
            gate.event("cancel", "old", http=200)
            p.advance("5s")
            done = gate.event("outcome", "new", outcome="refused")
            self.assertIn("'old'", done["text"])
            self.assertIn("filled", done["text"])
            self.assertEqual((gate.finish(2), len(posts(p))), (1, 1))

    def test_what_could_not_be_posted_cancels_nothing(self):
        with Paper(clock=RUNNING) as p, Home() as home:
            bad = [resting("new", replaces="old", orderQuantity="ten"), resting("old", replaces="old"),
                   resting("new2", replaces="nobody"), resting("new3", replaces="old", limitPrice=-1)]
            code, gate = send(p.url, home, [resting("old"), *bad])
            self.assertEqual([e["outcome"] for e in sorted(gate.all("outcome"), key=lambda e: e["line"])],
                             ["working"] + ["refused"] * 4)
            self.assertEqual((code, len(posts(p)), deletes(p), state(p, "old")), (1, 1, [], "New"))

    def test_one_that_is_canceled_already(self):
        with Paper(clock=RUNNING) as p, Home() as home:
            send(p.url, home, [resting("old"), cancel("old")])
            code, gate = send(p.url, home, [resting("new", replaces="old")])
            self.assertEqual((code, gate.outcomes()), (0, {"new": "working"}), gate.stderr)
            self.assertEqual(len(deletes(p)), 1)


if __name__ == "__main__":
    main()
