"""ordergate watch --snapshot: the account after each sign-in, then what changes; nothing is lost around a gap."""
import json
import threading
import unittest

from fault_proxy import FaultProxy, answer
from paper import stock
from watch_case import WatchCase

RANK = {status: rank for rank, status in enumerate(("PendingNew", "New", "PartiallyFilled", "PendingCancel"))}
OVER = ("Filled", "Canceled", "Rejected", "Expired")


class WatchSnapshot(WatchCase):
    def setUp(self):
        super().setUp()
        self.proxy = FaultProxy(self.p)
        self.addCleanup(self.proxy.stop)

    def snapshots(self, *args):
        return self.watch("--snapshot", *args, url=self.proxy.url)

    def snapshot(self, count=1):
        return self.event("snapshot", count)["snapshot"]

    def place(self, order_id, advance="2s", **more):
        self.p.order(stock(order_id, route="PAPER", **more))
        if advance:
            self.p.advance(advance)

    def rest(self):
        """Returns the state that REST shows: the status of each order, and the shares of each position."""
        return ({o["clientOrderId"]: o["orderStatus"] for o in self.get("orders")["orders"]},
                {p["positionId"]: abs(p["shares"]) for p in self.positions()})

    def told(self, lines=None):
        """Returns the state that the lines tell: a snapshot is all there is, and what follows changes it."""
        orders, positions = {}, {}
        for line in lines or list(self.lines):
            if line["event"] == "snapshot":
                orders.update((o["clientOrderId"], o["orderStatus"]) for o in line["snapshot"]["orders"])
                positions = {p["positionId"]: abs(p["shares"]) for p in line["snapshot"]["positions"]}
            elif line["event"] == "order":
                orders[line["order"]["clientOrderId"]] = line["order"]["orderStatus"]
            elif line["event"] == "position":
                positions[line["position"]["id"]] = abs(line["position"]["shares"])
        return orders, {k: v for k, v in positions.items() if v}

    def states(self):
        """Returns the statuses that the lines tell of each order, one after the other."""
        found = {}
        for line in list(self.lines):
            for o in line["snapshot"]["orders"] if line["event"] == "snapshot" else [line.get("order")]:
                if o:
                    found.setdefault(o["clientOrderId"], []).append(o["orderStatus"])
        return found

    def until_told(self, *orders):
        """Wait until the lines tell what REST shows, which has these orders."""
        expected = self.rest()
        self.assertLessEqual(set(orders), set(expected[0]))
        with self.changed:
            found = self.changed.wait_for(lambda: self.told() == expected, 60)
        self.assertTrue(found, f"told {self.told()}, REST has {expected}, lines: {self.lines}")

    def in_order(self):
        """No order goes back: what was over is told as over by snapshots alone, and no status is told twice."""
        for order_id, states in self.states().items():
            for before, after in zip(states, states[1:]):
                if before in OVER:
                    self.assertEqual(after, before, f"{order_id}: {states}")
                elif after not in OVER:
                    self.assertLessEqual(RANK[before], RANK[after], f"{order_id}: {states}")

    def test_snapshot_then_changes(self):
        self.place("filled")
        self.place("works", limitPrice=100)
        run = self.snapshots()
        seen = self.snapshot()
        self.assertEqual([e["event"] for e in self.lines[:2]], ["ready", "snapshot"])
        self.assertEqual({o["clientOrderId"]: o["orderStatus"] for o in seen["orders"]},
                         {"filled": "Filled", "works": "New"})
        self.assertEqual(seen["positions"], self.positions())
        self.assertEqual(seen["unknown"], [])
        self.assertLessEqual(seen["asOf"], self.event("snapshot")["at"])
        self.p.cancel("works")
        self.p.advance("2s")
        self.until_told("filled", "works")
        self.assertEqual(self.states()["works"][-1], "Canceled")
        self.in_order()
        self.stop(run)

    def test_changes_while_the_account_is_read_wait_for_it(self):
        """The list was answered before they happened: they follow the snapshot, which lacks them."""
        gate = threading.Event()
        self.proxy.gets["/orders"] = (gate,)
        run = self.snapshots()
        self.until(lambda: self.requests("GET", "/orders"), "the request")
        self.proxy.wait_path("/orders")
        self.until(lambda: self.proxy.count("/positions"), "the request")
        self.place("late")
        self.assertNotIn("order", [e["event"] for e in self.lines])
        gate.set()
        self.assertEqual(self.snapshot()["orders"], [])
        self.until_told("late")
        self.assertEqual(self.states()["late"], ["PendingNew", "New", "Filled"])
        self.assertEqual([e["event"] for e in self.lines][:3], ["ready", "snapshot", "order"])
        self.stop(run)

    def test_changes_that_the_snapshot_has_are_not_told_again(self):
        gate = threading.Event()
        self.proxy.gets["/orders"] = gate
        run = self.snapshots()
        self.proxy.wait_path("/orders")
        self.place("early")
        gate.set()
        self.assertEqual([o["orderStatus"] for o in self.snapshot()["orders"]], ["Filled"])
        self.place("later")
        self.until_told("early", "later")
        self.assertEqual(self.states(), {"early": ["Filled"], "later": ["PendingNew", "New", "Filled"]})
        self.stop(run)

    def test_late_and_repeated_frames_tell_nothing(self):
        self.fault("stream portfolio", "duplicate-frame", count=10)
        run = self.snapshots()
        self.snapshot()
        self.place("a")
        self.until_told("a")
        self.place("b")
        self.until_told("a", "b")
        self.assertEqual(self.states(), {k: ["PendingNew", "New", "Filled"] for k in "ab"})
        self.fault("stream portfolio", "reorder-frame")
        self.place("c")
        self.until_told(*"abc")
        self.in_order()
        self.stop(run)

    def test_what_happens_in_a_gap_is_in_the_next_snapshot(self):
        self.place("works", limitPrice=100)
        run = self.snapshots()
        self.snapshot()
        self.proxy.deafen()
        self.event("down")
        self.place("in-the-gap")
        self.p.cancel("works")
        self.p.advance("2s")
        self.proxy.listen()
        self.snapshot(2)
        self.until_told("works", "in-the-gap")
        events = [e["event"] for e in self.lines if e["event"] != "down"]
        self.assertEqual(events, ["ready", "snapshot", "ready", "snapshot"])
        self.in_order()
        self.stop(run)

    def test_nothing_is_lost_where_the_connection_is_cut(self):
        """Frames are under way as the connection is cut, at every point of an order's life."""
        run = self.snapshots()
        self.snapshot()
        ids = []
        for cut in range(6):
            for step in range(4):
                ids.append(f"o-{cut}-{step}")
                self.place(ids[-1], advance=None, limitPrice=100 if step == 3 else 150)
                cutter = threading.Thread(target=self.proxy.close_all) if step == cut % 4 else None
                if cutter:
                    cutter.start()
                self.p.advance(("1ms", "20ms", "200ms")[cut % 3])
                if cutter:
                    cutter.join()
        self.p.advance("2s")
        self.until_told(*ids)
        self.event("down")
        self.in_order()
        self.stop(run)

    def test_a_cut_while_the_account_is_read(self):
        gate = threading.Event()
        self.addCleanup(gate.set)
        self.proxy.gets["/positions"] = gate
        run = self.snapshots()
        self.proxy.wait_path("/positions")
        self.place("held")
        self.proxy.gets.clear()
        self.proxy.close_all()
        self.event("down")
        self.snapshot()
        self.until_told("held")
        events = [e["event"] for e in self.lines]
        self.assertEqual(events[0], "ready")
        self.assertEqual([e for e in events[events.index("down"):] if e != "down"], ["ready", "snapshot"])
        self.in_order()
        self.stop(run)

    def test_orders_that_the_list_lacks_are_looked_up(self):
        """The list may leave out orders that are over, and so the end of one in a gap."""
        self.place("works", limitPrice=100)
        run = self.snapshots()
        self.snapshot()
        self.proxy.gets["/orders"] = answer(200, b'{"orders":[]}', ["Content-Type: application/json"])
        self.proxy.deafen()
        self.event("down")
        self.p.cancel("works")
        self.p.advance("2s")
        self.proxy.listen()
        self.assertEqual([(o["clientOrderId"], o["orderStatus"]) for o in self.snapshot(2)["orders"]],
                         [("works", "Canceled")])
        self.stop(run)

    def test_an_order_that_is_nowhere_is_named(self):
        self.place("works", limitPrice=100)
        run = self.snapshots()
        self.snapshot()
        self.proxy.gets["/orders"] = answer(200, b'{"orders":[]}', ["Content-Type: application/json"])
        self.proxy.gets["/order/works"] = answer(404, b"Not found", ["Content-Type: text/plain"])
        self.proxy.close_all()
        seen = self.snapshot(2)
        self.assertEqual((seen["orders"], seen["unknown"]), ([], ["works"]))
        self.proxy.close_all()
        self.assertEqual(self.snapshot(3)["unknown"], [])
        self.stop(run)

    def test_an_account_that_cannot_be_read(self):
        """It is read again; changes are told meanwhile, and the snapshot comes after them."""
        self.proxy.gets["/positions"] = answer(404, b"Not found", ["Content-Type: text/plain"])
        run = self.snapshots()
        self.assertIn("positions", self.event("unread")["why"])
        self.place("a")
        self.event("order", 3)
        self.proxy.gets.clear()
        self.assertEqual([o["orderStatus"] for o in self.snapshot()["orders"]], ["Filled"])
        self.until_told("a")
        self.stop(run)

    def test_positions_that_lag_a_fill_in_a_gap(self):
        """Where positions may lag fills, a second snapshot has what the first one lacked."""
        run = self.lagging()
        self.proxy.deafen()
        self.event("down")
        old = json.dumps({"positions": self.positions()}).encode()
        self.place("in-the-gap")
        self.proxy.gets["/positions"] = answer(200, old, ["Content-Type: application/json"])
        self.proxy.listen()
        self.assertEqual(self.snapshot(2)["positions"], [])
        self.proxy.gets.clear()
        self.assertEqual(self.snapshot(3)["positions"], self.positions())
        self.until_told("in-the-gap")
        self.stop(run)

    def lagging(self):
        """Returns a watch that reads the account again a second after each sign-in, and has done so once."""
        path = self.file("lags.yaml", f"base_url: {self.proxy.url}\nbudgets: off\nsettle: 1s\n")
        run = self.snapshots("--broker", path)
        self.snapshot()
        self.proxy.wait_path("/positions", 2)
        return run

    def test_count_is_of_changes(self):
        run = self.snapshots("--count", "2")
        self.snapshot()
        self.place("a")
        self.ended(run)
        self.assertEqual([e["event"] for e in self.lines], ["ready", "snapshot", "order", "order"])

    def test_figures_begin_with_a_snapshot_of_their_own(self):
        _, words = self.end(self.start("watch", "--snapshot", "--stream", "pnl"), 2)
        self.assertIn("pnl-init", words)


if __name__ == "__main__":
    unittest.main()
