"""Cancels and replaces: a DELETE is sent once, its answer is not trusted, and it is repeated only after a look-up.

Every line has one outcome. OG_POLICY names a shipped policy to use in all tests: cancels pass under every policy, and
the orders are closes then, which every policy accepts.
"""
import json
import os
import signal
import subprocess
import unittest

from fault_proxy import FaultProxy
from paper import LIVE as LIVE_KEYS, Paper as PlainPaper, stock
from parallel_unittest import main
import sender
from sender import RUNNING, TempHome, posts

POLICY = os.environ.get("OG_POLICY")
LIVE = POLICY not in (None, "paper")
KEYS = (" (the keys are missing, wrong or disabled, or the path of base_url is wrong: ordergate broker accounts shows "
        "whether they work)")
ACCOUNT = "LIVE0001" if LIVE else "PAPER0001"


class Paper(PlainPaper):
    """A brokerage whose account holds something to close."""

    def __init__(self, *args, **more):
        super().__init__(*args, **more)
        if POLICY:
            self.hold_shares()

    def hold_shares(self):
        self.control("PUT", "positions/" + ACCOUNT, [{"symbol": "AAPL", "side": "Long", "shares": 1000,
                                                     "priceAvg": 190, "dayOvernight": "Day"}])

    def order(self, body):
        return super().order(body, ACCOUNT)


class Sender(sender.Sender):
    def __init__(self, url, home, *args, **more):
        if LIVE:
            more = {"keys": LIVE_KEYS, "env": {"ORDERGATE_ENVIRONMENT": "live"}, **more}
        super().__init__(url, home, *(("-p", POLICY) if POLICY and "-p" not in args else ()), *args, **more)


def send(url, home, lines, *args):
    with Sender(url, home, *args, lines=lines) as g:
        return g.finish(len(lines)), g


def resting(order_id, **changes):
    """Returns an order that works and does not fill. No two of them have the same terms."""
    if not POLICY:
        return sender.resting(order_id, **changes)
    return stock(order_id, **{"side": "Sell", "openClose": "Close", "limitPrice": 250 + sum(order_id.encode()) % 97,
                              **({"route": "SMART"} if LIVE else {}), **changes})


def near(order_id):
    """Returns an order that fills when the market moves."""
    return resting(order_id, limitPrice=200 if POLICY else 180)


def fills(order_id):
    """An order that fills at once."""
    return resting(order_id, limitPrice=180) if POLICY else stock(order_id)


def move(paper, size=None):
    if POLICY:
        paper.quote("AAPL", 210, 210.02, **({"bidSize": size} if size else {}))
    else:
        paper.quote("AAPL", 170, 170.02, **({"askSize": size} if size else {}))


def cancel(order_id, **more):
    return {"op": "cancel", "clientOrderId": order_id, **more}


def deletes(paper, order_id=None):
    seen = [r for r in paper.control("GET", "requests?since=0")["requests"] if r["method"] == "DELETE"]
    return [r for r in seen if order_id is None or r["path"].endswith("/" + order_id)]


def state(paper, order_id):
    return next(o["orderStatus"] for o in paper.control("GET", "orders")["orders"] if o["clientOrderId"] == order_id)


class Cancels(unittest.TestCase):
    def test_an_order_of_this_run(self):
        with Paper(clock=RUNNING) as p, TempHome() as home, Sender(p.url, home) as gate:
            gate.feed(resting("a"), resting("b"))
            gate.event("outcome", "a", outcome="working")
            self.assertEqual(gate.feed(cancel("a")).finish(3), 0, gate.stderr)
            self.assertEqual({e["line"]: (e["clientOrderId"], e["outcome"]) for e in gate.events_of("outcome")},
                             {1: ("a", "working"), 2: ("b", "working"), 3: ("a", "canceled")})
            self.assertEqual(len(deletes(p)), 1)
            self.assertEqual((state(p, "a"), state(p, "b")), ("Canceled", "New"))
            done = gate.event("outcome", line=3)
            self.assertEqual((done["op"], done["accountId"], done["executed"]), ("cancel", ACCOUNT, 0))
            decision = gate.event("decision", line=3)
            self.assertEqual(decision["verdict"], "accept")
            self.assertNotIn("rate-budget", {f["rule"] for f in decision["findings"]})  # the queues hold the budgets
            self.assertEqual(gate.event("cancel", "a", line=3)["http"], 200)
            self.assertEqual([r["record"] for r in home.rows("id = 'a' AND record = 'cancel'")], ["cancel"])
            self.assertEqual(home.newest_row("a")["state"], "canceled")

    def test_an_order_that_is_shown_before_its_post_is_answered(self):
        """The DELETE does not wait for the end of the POST, and the POST's end changes nothing."""
        with Paper(clock=RUNNING) as p, TempHome() as home, Sender(p.url, home, "--timeout", "8s") as gate:
            p.control("POST", "faults", {"on": "POST order", "do": "hang"})
            gate.feed(resting("a"))
            gate.wait_until(lambda: posts(p, "a"), "a POST")
            gate.feed(cancel("a"))
            gate.event("update", "a", orderStatus="Canceled")
            self.assertEqual(gate.events_of("posted"), [])
            self.assertEqual(state(p, "a"), "Canceled")
            gate.event("posted", "a")
            gate.finish(2)
            self.assertEqual((len(posts(p, "a")), len(deletes(p, "a"))), (1, 1))
            for line in (1, 2):  # reported once the POST has ended
                self.assertEqual(gate.event("outcome", line=line)["outcome"], "canceled", gate.events)
            self.assertEqual(home.newest_row("a")["state"], "canceled")

    def test_a_canceled_order_is_not_at_work_any_more(self):
        """Once an order is seen Canceled, facts that were read while it worked no longer decide other orders."""
        with Paper(clock=RUNNING) as p, TempHome() as home:
            policy = home.file(
                "one.yaml", "ordergate: 1\nextends: [%s]\nrules:\n  open-orders: {level: refuse, of_symbol: 1}\n" %
                (POLICY or "default"))
            with Sender(p.url, home, "-p", policy) as gate:
                gate.feed(resting("a"))
                self.assertEqual(gate.event("outcome", "a")["outcome"], "working", gate.event("decision", "a"))
                line = 2
                while not self.listed_since(p, "a"):  # the facts show the order as working
                    gate.feed(resting("b%d" % line, limitPrice=-1))
                    gate.event("outcome", line=line)
                    line += 1
                gate.feed(cancel("a"))
                self.assertEqual(gate.event("outcome", line=line)["outcome"], "canceled")
                gate.feed(resting("c"))
                self.assertEqual(gate.event("decision", "c")["verdict"], "accept")
                self.assertEqual(gate.event("outcome", "c")["outcome"], "working")
                gate.finish(line + 1)

    def listed_since(self, paper, order_id):
        """Returns whether a list of orders was read after this order's POST was answered."""
        seen = paper.control("GET", "requests?since=0")["requests"]
        answered = max(r["n"] for r in seen if r["method"] == "POST" and order_id in r["body"])
        return any(r["n"] > answered and r["method"] == "GET" and r["path"].endswith("/orders") for r in seen)

    def test_two_lines_for_one_order_share_a_request(self):
        with Paper() as p, TempHome() as home, Sender(p.url, home) as gate:  # its clock stands
            gate.feed(resting("a"))
            gate.event("posted", "a")
            gate.feed(cancel("a"), cancel("a"))
            while len(deletes(p)) < 1:
                pass
            gate.event("decision", line=3)
            p.advance("1s")
            self.assertEqual(gate.event("outcome", line=2)["outcome"], "canceled")
            self.assertEqual(gate.event("outcome", line=3)["outcome"], "canceled")
            self.assertEqual(gate.finish(3), 0)
            self.assertLessEqual(len(deletes(p)), 2, "one before it was registered, one after")

    def test_an_order_of_an_earlier_run_and_one_of_somebody_else(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            send(p.url, home, [resting("mine")])
            p.order(resting("theirs"))
            code, gate = send(p.url, home, [cancel("mine"), cancel("theirs"), cancel("nobody")])
            self.assertEqual([e["outcome"] for e in gate.events_of("outcome") if e["line"] in (1, 2)], ["canceled"] * 2)
            self.assertEqual(gate.event("outcome", "nobody")["outcome"], "refused")
            self.assertEqual(gate.event("decision", "nobody")["findings"][0]["reason"], "cancel-unknown-id")
            self.assertEqual((code, deletes(p, "nobody")), (1, []))
            self.assertEqual((state(p, "mine"), state(p, "theirs")), ("Canceled", "Canceled"))
            self.assertEqual(home.newest_row("mine")["state"], "canceled")

    def test_through_the_filter(self):
        """check --emit lines passes cancels on and adds the account; it passes a heartbeat behind them on too."""
        with Paper(clock=RUNNING) as p, TempHome() as home:
            p.order(resting("theirs"))
            data = "".join(json.dumps(line) + "\n" for line in (cancel("theirs"), {"op": "heartbeat"}))
            filtered = subprocess.run([os.path.join(os.environ["OG_BIN"], "ordergate"), "check", "--emit", "lines",
                                       "--orders-only", "--account", ACCOUNT, *(("-p", POLICY) if POLICY else ())],
                                      input=data, capture_output=True, text=True, timeout=600)
            self.assertEqual((filtered.returncode, filtered.stderr), (0, ""), filtered.stdout)
            passed = [json.loads(line) for line in filtered.stdout.splitlines()]
            self.assertEqual(passed, [cancel("theirs", accountId=ACCOUNT), {"op": "heartbeat"}])
            with Sender(p.url, home, lines=passed) as gate:
                self.assertEqual((gate.finish(1), gate.event("outcome")["outcome"]), (0, "canceled"), gate.stderr)
            self.assertEqual(state(p, "theirs"), "Canceled")

    def test_what_is_over_is_not_canceled(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            send(p.url, home, [fills("full")], "--until", "final")
            code, gate = send(p.url, home, [cancel("full")])
            self.assertIn(gate.event("outcome", "full")["outcome"], ("filled", "refused"))
            self.assertEqual(deletes(p), [])

    def test_it_fills_first(self):
        """The order fills before the cancel arrives: the outcome of the cancel's line is the outcome of the order."""
        with Paper() as p, TempHome() as home, Sender(p.url, home, "--until", "final") as gate:
            p.control("POST", "faults", {"on": "DELETE order", "do": "drop-request"})
            gate.feed(near("a"))
            gate.event("posted", "a")
            p.advance("1s")
            gate.event("update", "a", orderStatus="New")
            gate.feed(cancel("a"))
            while not deletes(p):
                pass
            move(p)
            p.advance("1s")
            self.assertEqual(gate.event("outcome", line=2)["outcome"], "filled")
            self.assertEqual(gate.event("outcome", line=1)["outcome"], "filled")
            self.assertEqual(gate.finish(2), 0)

    def lost(self, behaviour, **more):
        with Paper(clock=RUNNING) as p, TempHome() as home, Sender(p.url, home) as gate:
            gate.feed(resting("a"))
            gate.event("outcome", "a", outcome="working")
            p.control("POST", "faults", {"on": "DELETE order", "do": behaviour, **more})
            gate.feed(cancel("a"))
            self.assertEqual(gate.event("outcome", line=2)["outcome"], "canceled")
            self.assertEqual(gate.finish(2), 0, gate.stderr)
            seen = p.control("GET", "requests?since=0")["requests"]
            at = [i for i, r in enumerate(seen) if r["method"] == "DELETE"]
            return at, [r["path"].endswith(("/order/a", "/orders")) for r in seen[at[0]:at[-1]]]

    def test_an_answer_that_is_lost_is_looked_up(self):
        """The DELETE took effect although its answer was lost: it is not sent again."""
        for behaviour in ("drop-reply", "truncate"):
            with self.subTest(behaviour):
                self.assertEqual(len(self.lost(behaviour)[0]), 1)

    def test_a_request_that_is_lost_is_repeated_after_a_look_up(self):
        for behaviour, more in (("drop-request", {}), ("status", {"status": 503}), ("status", {"status": 404})):
            with self.subTest(behaviour, **more):
                at, between = self.lost(behaviour, **more)
                self.assertEqual(len(at), 2)
                self.assertIn(True, between, "a look-up between the two")

    def test_a_busy_broker(self):
        self.assertEqual(len(self.lost("status", status=429)[0]), 2)

    def busy(self, paper, count=100000, status=429):
        paper.control("POST", "faults", {"on": "DELETE order", "do": "status", "status": status, "count": count})

    def test_a_wait_for_a_busy_broker_is_told(self):
        """A wait after a 429 is reported by the sender that got the 429, and by another one that waits because of
        it. The dead man's switch cancels in the same way."""
        with Paper(clock=RUNNING) as p, TempHome() as home, Sender(p.url, home) as one, \
                Sender(p.url, home, "--dead-man", "5s") as two:
            for gate, order_id in ((one, "a"), (two, "b")):
                gate.feed(resting(order_id))
                gate.event("outcome", order_id, outcome="working")
            self.busy(p)
            one.feed(cancel("a"))
            for gate, order_id in ((one, "a"), (two, "b")):
                gate.wait_stderr("1 cancel waits, such as that of order '%s': the broker answered 429" % order_id)
            p.control("DELETE", "faults")
            self.assertEqual(one.event("outcome", line=2)["outcome"], "canceled")
            two.event("update", "b", orderStatus="Canceled")
            self.assertEqual((one.finish(2), two.finish(1)), (0, 0))

    def test_a_broker_that_cannot_be_reached(self):
        """The DELETE is tried for as long as --wait says, and the report says that it could not be sent."""
        with Paper(clock=RUNNING) as p, TempHome() as home, FaultProxy(p) as proxy, \
                Sender(proxy.url, home, "--wait", "60s") as gate:
            gate.feed(resting("a"))
            gate.event("outcome", "a", outcome="working")
            proxy.deafen()
            gate.feed(cancel("a"))
            told = "1 cancel waits, such as that of order 'a': the broker cannot be reached: "
            self.assertIn("could not be sent (", gate.event("held", "a", reason="unreachable")["text"])
            gate.wait_until(lambda: gate.stderr.count(told) == 2, "another report, 5 s after the first one")
            self.assertNotIn("answered 429", gate.stderr)
            proxy.listen()
            self.assertEqual(gate.event("outcome", line=2)["outcome"], "canceled")
            self.assertEqual((gate.finish(2), len(deletes(p, "a"))), (0, 1))

    def failed(self, *args, **more):
        """Send a cancel that the broker does not carry out; returns its outcome and text."""
        with Paper(clock=RUNNING) as p, TempHome() as home, Sender(p.url, home, *args) as gate:
            gate.feed(resting("a"))
            gate.event("outcome", "a", outcome="working")
            self.busy(p, **more)
            gate.feed(cancel("a"))
            done = gate.event("outcome", line=2)
            gate.finish(2)
            self.assertEqual(state(p, "a"), "New")
            return done["outcome"], done["text"]

    def test_a_cancel_without_effect_says_what_helps(self):
        works = "; the order is still working: cancel it again, or have the broker cancel it"
        self.assertEqual(self.failed("--wait", "3s"),
                         ("not-sent", "the broker answered HTTP 429 to the cancel until --wait was over" + works))
        for status in (400, 401):
            why = KEYS if status == 401 else ""
            self.assertEqual(self.failed(status=status),
                             ("rejected", "the broker answered HTTP %d to the cancel%s%s" % (status, why, works)))

    def test_a_cancel_that_is_not_sent_says_so(self):
        """Its order's POST has no answer, and nothing shows the order, until the wait for that is over."""
        with Paper(clock=RUNNING) as p, TempHome() as home, FaultProxy(p, {"a": (False, "hang")}) as proxy, \
                Sender(proxy.url, home, "--wait", "2s", "--timeout", "60s") as gate:
            gate.feed(resting("a"))
            gate.event("decision", "a")
            gate.feed(cancel("a"))
            done = gate.event("outcome", "a", op="cancel")
            self.assertEqual((done["outcome"], done["text"]), (
                "unknown", "the cancel was not sent before the wait for it was over; the order may be working: cancel "
                "it again, or have the broker cancel it"))
            gate.kill(signal.SIGKILL)

    def test_nothing_more_to_be_heard(self):
        """The order stays PendingCancel: the line ends when --wait is over."""
        with Paper() as p, TempHome() as home, Sender(p.url, home, "--wait", "2s") as gate:
            gate.feed(resting("a"))
            gate.event("posted", "a")
            p.advance("1s")
            gate.event("outcome", "a", outcome="working")
            gate.feed(cancel("a"))
            self.assertEqual(gate.event("outcome", line=2)["outcome"], "working")
            self.assertEqual((gate.finish(2), len(deletes(p))), (0, 1))

    def test_a_signal(self):
        """A signal ends the run: orders in flight are followed, and orders that were not posted are reported as not
        sent."""
        with Paper() as p, TempHome() as home, Sender(p.url, home) as gate:
            gate.feed(resting("a"))
            gate.event("posted", "a")
            p.advance("1s")
            gate.event("outcome", "a", outcome="working")
            gate.feed(cancel("a"))
            gate.event("cancel", "a")
            gate.kill(signal.SIGTERM)
            p.advance("1s")
            self.assertEqual(gate.event("outcome", line=2)["outcome"], "canceled")
            self.assertEqual(gate.finish(2), 0)

    def test_without_effect(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            send(p.url, home, [resting("a")])
            code, gate = send(p.url, home, [cancel("a"), {"op": "cancel"}], "--dry-run")
            self.assertEqual([e["outcome"] for e in gate.events_of("outcome")], ["not-sent", "refused"])
            self.assertEqual((code, deletes(p)), (1, []))


class Hindered(unittest.TestCase):
    """Cancels that are sent while orders have to wait."""

    def exits(self, hinder):
        with Paper(clock=RUNNING) as p, TempHome() as home, Sender(p.url, home) as g:
            p.order(resting("theirs"))
            g.feed(resting("a"), resting("b"), resting("old"))
            for order_id in ("a", "b", "old"):
                g.event("outcome", order_id, outcome="working")
            hinder(p, home, g)
            g.feed(cancel("a"), cancel("b", accountId=ACCOUNT), cancel("theirs"), resting("new", replaces="old"))
            for line in (4, 5, 6):
                self.assertEqual(g.event("outcome", line=line)["outcome"], "canceled", g.events_of("decision"))
            replaced = g.event("outcome", line=7)["outcome"]
            self.assertEqual(state(p, "old"), "Canceled" if replaced == "working" else "New", g.events_of("decision"))
            g.feed(cancel("new" if replaced == "working" else "old"))
            self.assertEqual(g.event("outcome", line=8)["outcome"], "canceled", g.events_of("decision"))
            g.finish(8)
            return replaced

    def halted(self, *how):
        def hinder(_, home, g):
            done = subprocess.run([os.path.join(os.environ["OG_BIN"], "ordergate-halt"), *how], capture_output=True,
                                  env={**os.environ, "HOME": home.path,
                                       "XDG_STATE_HOME": os.path.join(home.path, "state")}, timeout=600)
            self.assertIn(done.returncode, (0, 1), done.stderr)  # 1: senders of other tests may stand still
            g.wait_stderr("trading is halted")
        return hinder

    def test_halted(self):
        self.assertEqual(self.exits(self.halted()), "working" if POLICY else "refused")

    def test_halted_for_closes_too(self):
        self.assertEqual(self.exits(self.halted("--all")), "refused")

    def test_stale_facts(self):
        """Nothing can be read for more than a minute, so all facts are stale: cancels are sent all the same."""
        def hinder(p, _, g):
            for call in ("GET account", "GET positions", "GET orders"):
                p.control("POST", "faults", {"on": call, "do": "status", "status": 503, "count": 1000})
            g.wait_stderr("cannot be read")
            p.advance("60s")
        self.assertEqual(self.exits(hinder), "working")

    def test_an_order_made_since_the_list_was_read(self):
        """If somebody else made the order, whether the stream reports it or not, the list is read again before a
        cancel is refused."""
        for deaf in (False, True):
            with self.subTest(deaf=deaf), Paper(clock=RUNNING) as p, TempHome() as home, Sender(p.url, home) as g:
                g.feed(resting("a"))
                g.event("outcome", "a", outcome="working")
                if deaf:
                    p.control("POST", "faults", {"on": "stream portfolio", "do": "drop-frame", "count": 1000})
                p.order(resting("theirs"))
                g.feed(cancel("theirs"), cancel("a"), cancel("nobody"))
                self.assertEqual(g.event("outcome", line=2)["outcome"], "canceled", g.events_of("decision"))
                self.assertEqual(g.event("outcome", line=4)["outcome"], "refused")
                g.finish(4)

    def test_an_order_of_an_earlier_run_whose_fate_is_not_known(self):
        """No list has the order. Its cancel is sent all the same, since the POST of the order may still arrive."""
        with Paper(clock=RUNNING) as p, TempHome() as home:
            p.control("POST", "faults", {"on": "POST order", "do": "drop-request"})
            with Sender(p.url, home, "--wait", "1s") as g:
                g.feed(resting("a"))
                self.assertEqual(g.event("outcome", "a")["outcome"], "unknown")
                g.finish(1)
            with Sender(p.url, home, "--wait", "1s") as g:
                g.feed(cancel("a"))
                self.assertEqual(g.event("decision", "a")["verdict"], "accept")
                self.assertEqual(g.event("outcome", line=1)["outcome"], "unknown")
                g.finish(1)
            self.assertTrue(deletes(p, "a"))

    def test_more_at_once_than_the_service_takes(self):
        """If there are more cancels than the request budget allows, they wait; none is refused because of the
        budget."""
        with Paper(clock=RUNNING) as p, TempHome() as home, Sender(p.url, home) as g:
            ids = ["theirs%d" % i for i in range(25)]
            for order_id in ids:
                p.order(resting(order_id))
            g.feed(*(cancel(order_id) for order_id in ids))
            self.assertEqual(g.finish(25), 0)
            self.assertEqual([state(p, order_id) for order_id in ids], ["Canceled"] * 25)


NOTHING = "nothing was canceled and nothing sent"


class Replaces(unittest.TestCase):
    def test_one_after_the_other(self):
        """The new order is posted once the old one is Canceled."""
        with Paper(clock=RUNNING) as p, TempHome() as home:
            code, gate = send(p.url, home, [resting("old"), resting("new", replaces="old")])
            self.assertEqual((code, gate.outcomes()), (0, {"old": "working", "new": "working"}), gate.stderr)
            self.assertEqual((state(p, "old"), state(p, "new")), ("Canceled", "New"))
            self.assertEqual((len(posts(p)), len(deletes(p, "old"))), (2, 1))
            self.assertNotIn("replaces", json.loads(posts(p, "new")[0]["body"]))
            order = [(r["method"], r["path"].rsplit("/", 1)[1]) for r in p.control("GET",
                                                                                   "requests?since=0")["requests"]
                     if r["method"] != "GET"]
            self.assertEqual(order, [("POST", "order"), ("DELETE", "old"), ("POST", "order")])
            if not POLICY:
                self.assertEqual([f["rule"] for f in gate.event("decision", "new")["findings"]], ["route"])
            code, gate = send(p.url, home, [resting("new", replaces="old")])
            self.assertEqual((code, gate.outcomes(), len(posts(p))), (0, {"new": "working"}, 2),
                             "read again, it is resumed")

    def test_a_stop_is_replaced_before_its_delete_is_answered(self):
        """The stream shows the old order Canceled before its DELETE is answered: the new stop is posted at once, so
        that the position is not left without one until the answer comes."""
        with Paper(clock=RUNNING) as p, TempHome() as home, Sender(p.url, home, "--timeout", "100s") as g:
            g.feed(resting("old"))
            g.event("outcome", "old", outcome="working")
            p.control("POST", "faults", {"on": "DELETE order", "do": "delay", "delay": "10s"})
            g.feed(resting("new", orderQuantity=3, replaces="old"))
            self.assertEqual(g.event("outcome", "new")["outcome"], "working")
            self.assertEqual((state(p, "old"), g.events_of("cancel")), ("Canceled", []), "it was not answered yet")
            self.assertEqual(g.finish(2), 0)
            self.assertEqual([(e["line"], e["clientOrderId"]) for e in g.events_of("cancel")], [(2, "old")])

    def test_a_fill_stops_it(self):
        with Paper() as p, TempHome() as home, Sender(p.url, home) as gate:
            gate.feed(near("old"))
            gate.event("posted", "old")
            p.advance("1s")
            gate.event("outcome", "old", outcome="working")
            p.control("POST", "faults", {"on": "DELETE order", "do": "drop-request", "count": 100})
            gate.feed(resting("new", replaces="old"))
            while not deletes(p):
                pass
            move(p, 4)
            p.advance("1s")
            gate.event("update", "old", executed=4)
            p.control("DELETE", "faults")
            gate.event("cancel", "old", http=200)
            p.advance("5s")
            done = gate.event("outcome", "new", outcome="refused")
            self.assertIn("'old'", done["text"])
            self.assertIn("filled", done["text"])
            self.told(gate, home, 2, "has filled since, and is canceled")
            self.assertEqual((gate.finish(2), len(posts(p))), (1, 1))

    def told(self, gate, home, line, why):
        """The refusal is reported by a decision about the new order, and recorded, both before the outcome of the
        line."""
        done = gate.event("outcome", line=line)
        about = [e for e in gate.events if e["line"] == line and e["event"] in ("decision", "outcome")]
        self.assertEqual([e["event"] for e in about], ["decision", "outcome"])
        self.assertEqual((done["outcome"], about[0]["verdict"], about[0].get("op")), ("refused", "refuse", None))
        self.assertEqual({e["clientOrderId"] for e in about}, {done["clientOrderId"]})
        self.assertIsNotNone(done["clientOrderId"])
        self.assertIn(why, done["text"])
        self.assertEqual(about[0].get("text"), done["text"], "no finding says why")
        row = home.rows("record = 'decision' AND id = '%s'" % done["clientOrderId"])[-1]
        self.assertEqual((row["state"], row["outcome"], row["text"]), ("refused", "refused", done["text"]))
        self.assertIn("order", json.loads(row["detail"]))
        return done["clientOrderId"]

    def test_a_refusal_for_the_old_order_is_told_and_recorded(self):
        """Whatever keeps the old order working, the refusal of the new one is reported and recorded, even if the line
        has no id."""
        nameless = {k: v for k, v in resting("x", replaces="old").items() if k != "clientOrderId"}
        works = "; it still works: give the replacement again"
        for status, why, line in ((400, "the broker answered HTTP 400 to the cancel" + works, nameless),
                                  (401, "the broker answered HTTP 401 to the cancel" + KEYS + works, None),
                                  (429, "the broker answered HTTP 429 to the cancel until --wait was over" + works,
                                   None)):
            with self.subTest(status), Paper(clock=RUNNING) as p, TempHome() as home, \
                    Sender(p.url, home, "--wait", "3s") as gate:
                gate.feed(resting("old"), {"op": "heartbeat"})
                gate.event("outcome", "old", outcome="working")
                p.control("POST", "faults", {"on": "DELETE order", "do": "status", "status": status, "count": 1000})
                gate.feed(line or resting("new", replaces="old"))
                new = self.told(gate, home, 3, "the order 'old' that it replaces is not canceled: " + why)
                if status != 429:  # a wait after a 429, in which no cancel can be sent before --wait is over
                    p.control("DELETE", "faults")
                    gate.feed(resting("newer", replaces="old"))
                    self.assertEqual(gate.event("outcome", "newer")["outcome"], "working", "%s took no place" % new)
                gate.finish()

    def test_a_refusal_since_the_old_order_is_not_known(self):
        with Paper(clock=RUNNING) as p, TempHome() as home, Sender(p.url, home) as gate:
            gate.feed(resting("new", replaces="nobody"))
            self.told(gate, home, 1, "the order 'nobody' that it replaces cannot be canceled: no order 'nobody' was "
                      "ever accepted")
            self.assertEqual(home.rows("id = 'nobody'"), [])
            self.assertEqual(gate.finish(1), 1)

    def ends(self):
        """Returns False if the run had not begun to stop when the old order was seen Canceled."""
        with Paper() as p, TempHome() as home, Sender(p.url, home) as gate:
            gate.feed(resting("old"))
            gate.event("posted", "old")
            p.advance("1s")
            gate.event("outcome", "old", outcome="working")
            gate.feed(resting("new", replaces="old"))
            gate.event("cancel", "old")
            gate.kill(signal.SIGTERM)
            p.advance("1s")
            if gate.event("outcome", line=2)["outcome"] != "refused":
                return False
            self.told(gate, home, 2, "the order 'old' that it replaces is canceled, and this run ends")
            self.assertEqual(gate.finish(2), 1)
            return True

    def test_a_refusal_since_the_run_ends(self):
        while not self.ends():
            pass

    def test_what_could_not_be_posted_cancels_nothing(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            bad = [resting("new", replaces="old", orderQuantity="ten"), resting("old", replaces="old"),
                   resting("new2", replaces="nobody"), resting("new3", replaces="old", limitPrice=-1)]
            code, gate = send(p.url, home, [resting("old"), *bad])
            self.assertEqual([e["outcome"] for e in sorted(gate.events_of("outcome"), key=lambda e: e["line"])],
                             ["working"] + ["refused"] * 4)
            self.assertEqual((code, len(posts(p)), deletes(p), state(p, "old")), (1, 1, [], "New"))

    def limited(self, rules, lines, *args, earlier=()):
        """Run the lines under those limits. Returns the events of the last line, the number of DELETEs, and the state
        of "old"."""
        with Paper(clock=RUNNING) as p, TempHome() as home:
            policy = home.file("limits.yaml", "ordergate: 1\nextends: [%s]\nrules:\n%s" % (POLICY or "default", rules))
            if earlier:
                send(p.url, home, earlier, "-p", policy)
            _, gate = send(p.url, home, lines, "-p", policy, *args)
            done = gate.event("outcome", line=len(lines))
            return done, gate.event("decision", line=len(lines)), len(deletes(p)), state(p, "old")

    @unittest.skipIf(POLICY, "limits bind orders that open")
    def test_what_a_limit_refuses_without_the_old_order_cancels_nothing(self):
        """The old order uses a part of the limit, but the new one alone exceeds it: it is refused, and nothing is
        canceled."""
        for limit in ("position-limit: {level: refuse, shares: 300}", "exposure: {level: refuse, gross: 35000}"):
            rules = "  %s\n" % limit
            old, new = resting("old"), resting("new", replaces="old", orderQuantity=301)
            for earlier, lines in (((), [old, new]), ([old], [new])):
                with self.subTest(rules, earlier=bool(earlier)):
                    done, decision, count, at = self.limited(rules, lines, earlier=earlier)
                    self.assertEqual((done["outcome"], decision["verdict"]), ("refused", "refuse"), decision)
                    self.assertIn("left as it is", done["text"])
                    self.assertEqual((count, at), (0, "New"))

    @unittest.skipIf(POLICY, "limits bind orders that open")
    def test_what_a_limit_refuses_for_the_old_order_replaces_it(self):
        """Only both orders together exceed the limit, so the old one is replaced. A refusal that came earlier does not
        change what the old order counts for."""
        rules = "  position-limit: {level: refuse, shares: 300}\n"
        old = resting("old", orderQuantity=200)
        more = [resting("bad", replaces="old", orderQuantity=301), resting("beside", orderQuantity=101)]
        new = resting("new", replaces="old", orderQuantity=300)
        for earlier, lines in (((), [old, *more, new]), ([old], [*more, new])):
            with self.subTest(earlier=bool(earlier)), Paper(clock=RUNNING) as p, TempHome() as home:
                policy = home.file("limits.yaml", "ordergate: 1\nextends: [default]\nrules:\n" + rules)
                if earlier:
                    send(p.url, home, earlier, "-p", policy)
                _, gate = send(p.url, home, lines, "-p", policy)
                outcomes = gate.outcomes()
                self.assertEqual([outcomes[i] for i in ("bad", "beside", "new")], ["refused", "refused", "working"])
                self.assertEqual((len(deletes(p)), state(p, "old"), state(p, "new")), (1, "Canceled", "New"))

    @unittest.skipIf(POLICY, "limits bind orders that open")
    def test_a_dry_run_decides_the_same(self):
        """A dry run decides replacements as a real run does: of an order of an earlier run or of the same run, and of
        one that is canceled, replaced or not known."""
        rules = "  position-limit: {level: refuse, shares: 300}\n  open-orders: {level: refuse, of_symbol: 1}\n"
        old = resting("old", orderQuantity=200)
        new = [resting("bad", replaces="old", orderQuantity=301), resting("lost", replaces="nobody"),
               resting("new", replaces="old", orderQuantity=300), resting("newer", replaces="old", orderQuantity=100)]
        for earlier, lines in (([], [old, *new]), ([old], new),
                               ([old, cancel("old")], [resting("gone", replaces="old")])):
            with self.subTest(earlier=len(earlier)), Paper(clock=RUNNING) as p, TempHome() as home:
                policy = home.file("limits.yaml", "ordergate: 1\nextends: [default]\nrules:\n" + rules)
                for line in earlier:
                    send(p.url, home, [line], "-p", policy)
                before = home.rows() if earlier else []
                told = []
                for args in (["--dry-run"], []):
                    code, gate = send(p.url, home, lines, "-p", policy, *args)
                    told.append((code, {e["clientOrderId"]: e["verdict"] for e in gate.events_of("decision")},
                                 {e["clientOrderId"]: e["text"] for e in gate.events_of("outcome")
                                  if e["outcome"] == "refused"}))
                    if args:
                        self.assertEqual(home.rows() if earlier else [], before)
                        self.assertEqual(len(deletes(p)), sum(line.get("op") == "cancel" for line in earlier))
                for texts in (told[0][2], told[1][2]):
                    # a dry run has no record of earlier lines: neither of the order that replaced the old one, nor, if
                    # the list is older than the line, of whether there is such an order
                    for order_id in ("bad", "lost"):
                        self.assertIn(NOTHING, texts.pop(order_id, NOTHING))
                    texts.pop("newer", None)
                self.assertEqual(told[0], told[1])
                self.assertEqual(told[0][1][lines[-2 if len(lines) > 1 else 0]["clientOrderId"]], "accept")

    def refused(self, gate, line, by):
        """Assert that the line's replacement is refused because the old order is already being replaced by the order
        `by`."""
        outcome = gate.event("outcome", line=line)
        self.assertEqual(outcome["outcome"], "refused", gate.stderr)
        self.assertIn("'%s'" % by, outcome["text"])
        found = gate.event("decision", line=line)["findings"]
        self.assertEqual([f["message"] for f in found if f["reason"] == "replace-replaced"],
                         ["the order 'old' that this one replaces was replaced by '%s'" % by])

    def test_an_order_is_replaced_once(self):
        """A second replacement of the same order is refused, whether the first replacement is in flight, working or
        over."""
        with Paper(clock=RUNNING) as p, TempHome() as home, Sender(p.url, home) as gate:
            gate.feed(resting("old"), resting("new", replaces="old"), resting("newer", replaces="old"))
            self.refused(gate, 3, "new")
            self.assertEqual(gate.event("outcome", "new")["outcome"], "working")
            gate.feed(resting("newest", replaces="old"))
            self.refused(gate, 4, "new")
            gate.feed(cancel("new"))
            gate.event("outcome", line=5)
            gate.feed(resting("last", replaces="old"))
            self.refused(gate, 6, "new")
            gate.finish()
            self.assertEqual((len(posts(p)), len(deletes(p, "old")), state(p, "new")), (2, 1, "Canceled"))

    def test_an_order_is_replaced_once_when_a_file_is_read_again(self):
        """The run that resumes the first replacement refuses the second one, as the run before did."""
        with Paper(clock=RUNNING) as p, TempHome() as home:
            lines = [resting("old"), resting("new", replaces="old"), resting("newer", replaces="old")]
            for _ in range(2):
                code, gate = send(p.url, home, lines)
                self.assertEqual((code, gate.outcomes()["newer"], len(posts(p))), (1, "refused", 2), gate.stderr)
                self.assertEqual(state(p, "new"), "New")

    def test_an_order_is_replaced_once_over_runs(self):
        """The second replacement is refused whichever run on the ledger posted the first one. --dry-run decides the
        same."""
        with Paper(clock=RUNNING) as p, TempHome() as home:
            self.assertEqual(send(p.url, home, [resting("old")])[0], 0)
            self.assertEqual(send(p.url, home, [resting("new", replaces="old")])[1].outcomes(), {"new": "working"})
            for args in ([], ["--dry-run"], ["--resend-not-sent"]):
                code, gate = send(p.url, home, [resting("newer", replaces="old")], *args)
                self.assertEqual(code, 1, gate.stderr)
                self.refused(gate, 1, "new")
            code, gate = send(p.url, home, [resting("third", replaces="new")])
            self.assertEqual((code, gate.outcomes()), (0, {"third": "working"}), gate.stderr)
            self.assertEqual([state(p, i) for i in ("old", "new", "third")], ["Canceled", "Canceled", "New"])
            self.assertEqual(len(posts(p)), 3)

    def test_an_order_is_replaced_once_over_senders(self):
        """Another sender refuses the second replacement while the cancel for the first one is under way, and once the
        first one works."""
        with Paper(clock=RUNNING) as p, TempHome() as home, Sender(p.url, home) as one, Sender(p.url, home) as two:
            one.feed(resting("old"))
            one.event("outcome", "old", outcome="working")
            p.control("POST", "faults", {"on": "DELETE order", "do": "delay", "delay": "8s", "count": 1})
            one.feed(resting("new", replaces="old"))
            one.wait_row("record = 'replace'")
            two.feed(resting("newer", replaces="old"))
            self.refused(two, 1, "new")
            self.assertEqual(one.event("outcome", "new")["outcome"], "working")
            two.feed(resting("newest", replaces="old"))
            self.refused(two, 2, "new")
            self.assertEqual((one.finish(), two.finish(2)), (0, 1))
            self.assertEqual((len(posts(p)), state(p, "new")), (2, "New"))

    def test_a_replacement_that_was_rejected_took_no_place(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            send(p.url, home, [resting("old")])
            p.control("POST", "faults", {"on": "POST order", "do": "status", "status": 400, "count": 1})
            code, gate = send(p.url, home, [resting("bad", replaces="old")])
            self.assertEqual((code, gate.outcomes()), (1, {"bad": "rejected"}), gate.stderr)
            code, gate = send(p.url, home, [resting("new", replaces="old")])
            self.assertEqual((code, gate.outcomes()), (0, {"new": "working"}), gate.stderr)

    def test_a_replacement_without_an_id(self):
        """The line's new order has no id of its own: the gate makes one, and keeps it until the old order is
        Canceled."""
        with Paper(clock=RUNNING) as p, TempHome() as home:
            line = resting(None, replaces="old") if not POLICY else {k: v for k, v in resting(
                "x", replaces="old").items() if k != "clientOrderId"}
            line = {k: v for k, v in line.items() if v is not None}
            code, gate = send(p.url, home, [resting("old"), line])
            self.assertEqual((code, sorted(gate.outcomes().values())), (0, ["working", "working"]), gate.events)
            self.assertEqual((state(p, "old"), len(posts(p))), ("Canceled", 2))

    def test_killed_while_it_replaces(self):
        """The sender is killed at any moment: the old order is replaced once, by one of the two orders, whichever line
        is given again."""
        for when in ("replace", "cancel", "intent", "post", "outcome"):
            with self.subTest(when), Paper(clock=RUNNING) as p, TempHome() as home:
                send(p.url, home, [resting("old")])
                with Sender(p.url, home) as gate:
                    p.control("POST", "faults", {"on": "DELETE order", "do": "delay", "delay": "200ms", "count": 1})
                    gate.feed(resting("new", replaces="old"))
                    gate.wait_row("record = '%s' AND (id = 'new' OR '%s' = 'cancel')" % (when, when))
                    gate.kill()
                    gate.process.wait()
                lines = [resting("newer", replaces="old"), resting("new", replaces="old")]
                outcomes = {}
                for _ in range(2):
                    code, gate = send(p.url, home, lines, "--wait", "5s")
                    outcomes = {i: o for i, o in gate.outcomes().items() if i != "old"}
                # if it was killed before its POST, the minute of absence shows that the order was not sent
                for _ in range(3):
                    if "working" in outcomes.values():
                        break
                    p.advance("61s")
                    code, gate = send(p.url, home, lines, "--wait", "5s")
                    outcomes = {i: o for i, o in gate.outcomes().items() if i != "old"}
                at_work = [i for i in ("new", "newer")
                           if any(r["clientOrderId"] == i and r["orderStatus"] == "New" for r
                                  in p.control("GET", "orders")["orders"])]
                self.assertEqual((len(at_work), state(p, "old")), (1, "Canceled"), (outcomes, gate.stderr))
                self.assertEqual(len(posts(p, "new")) + len(posts(p, "newer")), 1, outcomes)
                self.assertEqual(outcomes[at_work[0]], "working", gate.stderr)
                other = "new" if at_work[0] == "newer" else "newer"
                self.assertIn(outcomes[other], ("refused", "not-sent"), gate.stderr)

    def test_one_that_took_no_place_stands_in_no_way(self):
        """A replacement that was refused or rejected has replaced nothing, so another one is allowed."""
        with Paper(clock=RUNNING) as p, TempHome() as home, Sender(p.url, home) as gate:
            gate.feed(resting("old"), resting("bad", replaces="old", limitPrice=-1))
            self.assertEqual(gate.event("outcome", "bad")["outcome"], "refused")
            p.control("POST", "faults", {"on": "DELETE order", "do": "status", "status": 400, "count": 1})
            gate.feed(resting("kept", replaces="old"))
            self.assertEqual(gate.event("outcome", "kept")["outcome"], "refused")
            gate.feed(resting("new", replaces="old"))
            self.assertEqual(gate.event("outcome", "new")["outcome"], "working")
            gate.finish()
            self.assertEqual((len(posts(p)), state(p, "old")), (2, "Canceled"))

    def test_one_that_is_canceled_already(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            send(p.url, home, [resting("old")])
            send(p.url, home, [cancel("old")])
            code, gate = send(p.url, home, [resting("new", replaces="old")])
            self.assertEqual((code, gate.outcomes()), (0, {"new": "working"}), gate.stderr)
            self.assertEqual(len(deletes(p)), 1)


if __name__ == "__main__":
    main()
