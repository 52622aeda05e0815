"""A day and a night of one sender, hour by hour on the service's clock: orders before the open, a session with
lost connections, its close, the platform down overnight, and the next session, in which good-till-canceled orders
work again. In the end ledger and broker agree."""
import unittest

from paper import Paper, assert_equal, stock
from parallel_unittest import main
from sender import Sender, TempHome, posts, resting

BEFORE_THE_OPEN = "2026-01-15T14:00:00Z"  # 9:00 in New York
TERMINAL = {"Filled": "filled", "DoneForDay": "done", "Expired": "expired", "Canceled": "canceled",
            "Rejected": "rejected"}


class Day(unittest.TestCase):
    def update(self, order_id, status, **members):
        return self.gate.event("update", order_id, orderStatus=status, **members)

    def hours(self, count):
        """Step the clock by half hours; the brokerage's stream reports each step before the next one."""
        for _ in range(2 * count):
            self.p.advance("30m")

    def lose(self):
        """End the stream, and wait until it is connected again and the list of orders is read."""
        reads = self.lists()
        self.p.control("POST", "faults", {"on": "stream portfolio", "do": "disconnect"})
        while self.lists() == reads:
            pass

    def lists(self):
        return sum(r["path"].endswith("/orders") for r in self.p.control("GET", "requests?since=0")["requests"])

    def morning(self):
        self.gate.feed(stock("opening", timeInForce="AtTheOpening", limitPrice=100), resting("day"),
                       resting("taken-back"), resting("gtc", timeInForce="GoodTillCancel", limitPrice=180),
                       resting("gtc-part", timeInForce="GoodTillCancel", symbol="F", limitPrice=12),
                       resting("gtc-cancel", timeInForce="GoodTillCancel"))
        for order_id in ("opening", "day", "taken-back", "gtc", "gtc-part", "gtc-cancel"):
            self.gate.event("posted", order_id)
        self.p.advance("1s")
        self.hours(1)  # 10:00
        self.gate.event("outcome", "opening", outcome="expired")

    def session(self):
        self.p.quote("F", 12, 12, 12, askSize=4)
        self.update("gtc-part", "PartiallyFilled", executed=4)
        self.p.quote("F", 13, 13, 13)
        self.gate.feed(stock("fills"))
        self.gate.event("posted", "fills")
        self.p.advance("1s")
        self.gate.event("outcome", "fills", outcome="filled")
        for _ in range(3):
            self.lose()
            self.hours(1)  # 13:00
        self.gate.feed({"op": "cancel", "clientOrderId": "taken-back"})
        self.update("taken-back", "PendingCancel")
        self.p.advance("1s")
        self.gate.event("outcome", "taken-back", outcome="canceled")

    def night(self):
        self.hours(5)  # 18:00
        self.gate.event("outcome", "day", outcome="done")
        self.update("gtc", "DoneForDay")
        self.p.control("PUT", "switches", {"asleep": "on"})
        self.p.control("POST", "faults", {"on": "stream portfolio", "do": "disconnect"})
        while not any(r["status"] == 404 for r in self.p.control("GET", "requests?since=0")["requests"]):
            pass  # while the platform is down, a request for an order is answered as if the account were unknown
        self.hours(11)  # 5:00
        self.p.control("PUT", "switches", {"asleep": "off"})

    def next_session(self):
        self.hours(5)  # 10:00
        self.gate.wait_until(lambda: [e["orderStatus"] for e in self.gate.events_of("update", "gtc")].count("New") >= 2,
                             "gtc again")
        self.p.quote("AAPL", 179, 179, 179)
        self.p.quote("F", 12, 12, 12)
        self.gate.event("outcome", "gtc", outcome="filled")
        self.gate.event("outcome", "gtc-part", outcome="filled")
        assert_equal(self.p.cancel("gtc-cancel").status, 200)
        self.p.advance("1s")
        self.gate.event("outcome", "gtc-cancel", outcome="canceled")
        self.gate.feed(stock("next", limitPrice=180))
        self.gate.event("posted", "next")
        self.p.advance("1s")

    def test_ledger_and_broker_are_equal_at_its_end(self):
        with Paper(clock=BEFORE_THE_OPEN) as self.p, TempHome() as home:
            with Sender(self.p.url, home, "--until", "final", "--wait", "10m") as self.gate:
                for part in (self.morning, self.session, self.night, self.next_session):
                    part()
                code = self.gate.finish()
            there = {o["clientOrderId"]: (TERMINAL[o["orderStatus"]], str(o["executed"]))
                     for o in self.p.control("GET", "orders")["orders"]}
            here = {i: home.newest_row(i) for i in there}
            assert_equal({i: (r["state"], r["executed"]) for i, r in here.items()}, there)
            assert_equal({i: len(posts(self.p, i)) for i in there}, {i: 1 for i in there})
            self.assertEqual((len(there), code), (8, 0), self.gate.stderr)


if __name__ == "__main__":
    main()
