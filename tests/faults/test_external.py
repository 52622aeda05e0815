"""Orders and changes that the gate did not make are reported and counted. What earlier runs left unknown keeps its
reservation until its outcome is known."""
import itertools
import unittest

from fault_proxy import FaultProxy
from paper import Paper, in_some_run, stock
from parallel_unittest import main
from sender import RUNNING, Sender, TempHome, posts, resting, send
from test_cancels import state


class External(unittest.TestCase):
    def test_orders_of_somebody_else(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            p.order(resting("before"))
            p.control("PUT", "clock", {"advance": "1s"})  # it is acknowledged
            with Sender(p.url, home) as gate:
                first = gate.event("external", "before")
                self.assertEqual((first["source"], first["orderStatus"], first["symbol"], first["side"], first["line"]),
                                 ("list", "New", "AAPL", "Buy", None))
                gate.wait_stderr("1 order at the broker is not in this ledger, which is empty")
                gate.feed(resting("mine"))
                gate.event("outcome", "mine", outcome="working")
                numbers = itertools.count()

                def streamed():
                    """Returns whether the stream reported the order first: the list may be faster."""
                    order_id = f"later{next(numbers)}"
                    p.order(stock(order_id))
                    full = gate.event("external", order_id, orderStatus="Filled")
                    self.assertEqual(full["executed"], 10)
                    return full["source"] == "stream"
                in_some_run(streamed)
                gate.feed({"op": "heartbeat"}, resting("mine2"))
                gate.event("outcome", "mine2", outcome="working")
                self.assertEqual(gate.finish(2), 0)
            self.assertEqual([e["orderStatus"] for e in gate.events_of("external", "before")], ["New"], "told once")
            self.assertEqual(gate.events_of("external", "mine"), [])
            self.assertEqual({r["id"] for r in home.rows()}, {"mine", "mine2"})
            code, gate = send(p.url, home, [resting("mine3")])
            self.assertEqual({e["clientOrderId"] for e in gate.events_of("external")}, {"before"},
                             "those of an earlier run are ours")
            self.assertEqual(state(p, "before"), "New")

    def test_their_orders_count(self):
        """Orders of others use buying power, which is then not available to our orders."""
        with Paper(clock=RUNNING) as p, TempHome() as home:
            p.control("PUT", "accounts/PAPER0001", {"bp": 3000})
            p.order(resting("theirs", orderQuantity=10))
            code, gate = send(p.url, home, [resting("much", orderQuantity=15), resting("fits", orderQuantity=5)])
            self.assertEqual(gate.outcomes(), {"much": "refused", "fits": "working"})

    def test_unknown_orders_hold_what_they_may_take(self):
        with Paper(clock=RUNNING) as p, FaultProxy(p, {"lost": (False, "close")}) as b, TempHome() as home:
            policy = home.file("p.yaml", "ordergate: 1\nname: p\nrules:\n  open-orders: {level: refuse, in_total: 1}\n")
            with Sender(b.url, home, "-p", policy, lines=[resting("lost")]) as gate:
                gate.event("posted")
                gate.wait_row("detail LIKE '%absentSince%'")
                gate.kill().finish()
            with Sender(b.url, home, "--wait", "100s", "-p", policy) as gate:
                gate.feed(resting("next"))
                self.assertEqual(gate.event("outcome", "next")["outcome"], "refused")
                self.assertIn("open-orders", [f["rule"] for f in gate.event("decision", "next")["findings"]])
                p.advance("61s")
                self.assertEqual(gate.event("outcome", "lost")["outcome"], "not-sent")
                for i in range(100000):  # the next reading of the account makes the buying power available
                    gate.feed(resting(f"after{i}"))
                    if gate.event("outcome", f"after{i}")["outcome"] == "working":
                        break
                    self.assertEqual(gate.outcomes()[f"after{i}"], "refused")
                # the exit code counts lines only, and the lost order had no line in this run
                self.assertEqual(gate.finish(i + 2), 1)
            self.assertEqual(len(posts(p)), 1)


if __name__ == "__main__":
    main()
