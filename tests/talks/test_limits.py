"""Limits (group Z of docs/readings.md, Y19): the token bucket of every endpoint, and what a field may hold.

Buckets are refilled by the brokerage's own clock, which stands still here until a test steps it: so many calls pass,
and not one more.
"""
import json
import unittest

from locates import OFFERED, EXPIRED, FILLED, Locates
from paper import LIVE, PAPER, REGULAR, Paper, leg, occ, option, spread, stock
from reading_case import ReadingCase

ACCOUNT = "accounts/LIVE0001/"


class Bucket(unittest.TestCase):
    def bucket(self, rate, burst, method, path, body=None, keys=LIVE):
        """Assert that so many calls pass at once, and after a second as many as the rate allows; returns a 429."""
        for most in (burst, min(rate, burst)):
            passed, reply = 0, None
            while not reply and passed <= most:
                answer = self.p.call(method, "/v1/api/" + path, body, keys)
                if answer.status == 429:
                    reply = answer
                else:
                    passed += 1
            self.assertEqual(passed, most, f"{method} {path}")
            self.p.advance("1s")
        self.assertIsNotNone(reply, f"{method} {path} is not limited")
        self.assertEqual((reply.body, reply.headers["Content-Type"], reply.headers["Retry-After"]), (b"", None, None))
        return reply


class Buckets(Bucket):
    @classmethod
    def setUpClass(cls):
        cls.p = Paper(limits=True)

    @classmethod
    def tearDownClass(cls):
        cls.p.stop()

    def test_Z2_post_order(self):
        self.bucket(10, 10, "POST", "accounts/PAPER0001/order", stock(), PAPER)

    def test_Z3_delete_order(self):
        self.bucket(15, 15, "DELETE", ACCOUNT + "orders/none")

    def test_U9_Z4_delete_all_orders(self):
        """The rate is 3/s, but the burst is 1: of two calls at once the second is refused."""
        self.bucket(3, 1, "DELETE", "accounts/orders",
                    '--x\r\nContent-Disposition: form-data; name="account"\r\n\r\nLIVE0001\r\n--x--')

    def test_Z5_borrow(self):
        """All symbols share one bucket."""
        self.bucket(2, 2, "GET", ACCOUNT + "is-easy-to-borrow/symbol/AAPL")
        read = ACCOUNT + "is-easy-to-borrow/symbol/"
        self.assertEqual([self.p.get(read + symbol, LIVE).status for symbol in ("GME", "AAPL", "F")], [200, 200, 429])

    def test_Z6_order_lookup(self):
        self.bucket(2, 2, "GET", ACCOUNT + "order/none")

    def test_Z7_orders(self):
        self.bucket(2, 2, "GET", ACCOUNT + "orders")

    def test_Z8_paginated_history(self):
        self.bucket(1, 1, "GET", ACCOUNT + "orders-with-pagination/start-date/2026-01-15")

    def test_Z9_history(self):
        self.bucket(1, 1, "GET", ACCOUNT + "orders/start-date/2026-01-15")

    def test_Z10_routes(self):
        self.bucket(1, 1, "GET", ACCOUNT + "routes")

    def test_Z11_positions(self):
        self.bucket(3, 3, "GET", ACCOUNT + "positions")

    def test_Z12_pnl(self):
        self.bucket(3, 3, "GET", ACCOUNT + "pnl")

    def test_Z13_closed_positions(self):
        """Closed positions have a bucket of their own, apart from positions."""
        self.bucket(3, 3, "GET", ACCOUNT + "positions/closed")

    def test_Z14_locate_quote(self):
        self.bucket(1, 1, "POST", "accounts/locates/quote",
                    {"account": "LIVE0001", "symbol": "GME", "quantity": 100, "quoteReqID": "q"})

    def test_Z15_locate_accept(self):
        self.bucket(10, 10, "POST", "accounts/locates/accept", {"accountId": "LIVE0001", "quoteReqID": "none"})

    def test_Z16_locate_cancel(self):
        self.bucket(2, 2, "DELETE", "accounts/locates/cancel/accounts/LIVE0001/quoteReqID/none")

    def test_Z17_locate_sell(self):
        self.bucket(10, 10, "POST", "accounts/locates/sell",
                    {"account": "LIVE0001", "quoteReqID": "none", "locateType": "Locate", "quantity": 100})

    def test_Z18_locate_history(self):
        self.bucket(2, 2, "GET", ACCOUNT + "locates/history")

    def test_Z19_locate_inventory(self):
        self.bucket(2, 2, "GET", ACCOUNT + "locates/inventory")

    def test_Z20_limits_not_shown(self):
        """The document names no limit: the paper brokerage allows 3/s for account list and detail, and 1/s for cash."""
        self.bucket(3, 3, "GET", "accounts")
        self.bucket(3, 3, "GET", "account/LIVE0001")
        self.bucket(1, 1, "GET", ACCOUNT + "cash-transactions/start-date/2026-01-15")

    def test_Y19_rate_limit_exceeded(self):
        """The answer is a 429 with an empty body, and without headers about the limit or a retry."""
        reply = self.bucket(1, 1, "GET", "accounts/PAPER0001/routes", keys=PAPER)
        self.assertEqual({name for name in reply.headers if name not in ("Date", "Content-Length", "Connection")},
                         set())
        self.assertEqual(reply.headers["Content-Length"], "0")


class Apart(Bucket):
    def setUp(self):
        self.p = Paper(limits=True)
        self.addCleanup(self.p.stop)

    def test_Z1_burst_then_the_limit(self):
        """Each key has a bucket for each endpoint: its capacity is the burst, and it is refilled at the limit per
        second. A refused call takes no token."""
        keys, path = PAPER, "accounts/PAPER0001/orders/none"

        def passes(most):
            return [self.p.call("DELETE", "/v1/api/" + path, keys=keys).status for _ in range(most + 1)].count(404)
        self.assertEqual(passes(15), 15)
        for step, gained in (("66ms", 0), ("1ms", 1), ("200ms", 3), ("1s", 15), ("1h", 15)):
            self.p.advance(step)
            self.assertEqual(passes(gained), gained, step)
        self.assertEqual(self.p.call("DELETE", "/v1/api/accounts/LIVE0001/orders/none", keys=LIVE).status, 404)

    def test_Z21_a_bucket_each_and_no_global_cap(self):
        """Each endpoint allows its whole burst at once while all other buckets are empty."""
        reads = {"accounts": 3, "account/LIVE0001": 3, **{ACCOUNT + path: burst for path, burst in (
            ("pnl", 3), ("positions", 3), ("positions/closed", 3), ("routes", 1), ("orders", 2), ("order/none", 2),
            ("orders/start-date/2026-01-15", 1), ("orders-with-pagination/start-date/2026-01-15", 1),
            ("is-easy-to-borrow/symbol/F", 2), ("locates/inventory", 2), ("locates/history", 2),
            ("cash-transactions/start-date/2026-01-15", 1))}}
        for path, burst in reads.items():
            self.assertNotIn(429, [self.p.get(path, LIVE).status for _ in range(burst)], path)
        for n in range(10):
            self.assertEqual(self.p.order(stock(f"o{n}", route="SMART"), "LIVE0001").status, 200)
        for n in range(10):
            self.assertEqual(self.p.cancel(f"o{n}", "LIVE0001").status, 200)

    def test_a_clock_that_runs_fast_refills_fast(self):
        """Rates are counted by the brokerage's clock at any speed: here an hour of it passes in a third of a second."""
        with Paper(limits=True, clock=REGULAR + "@10000") as p:
            statuses = [p.get(ACCOUNT + "routes", LIVE).status for _ in range(50)]
        self.assertGreater(statuses.count(200), 10, "a second of the clock passes in 0.1 ms")

    def test_a_limit_stays_where_the_clock_stands(self):
        self.bucket(1, 1, "GET", ACCOUNT + "routes")
        self.p.control("PUT", "clock", {"speed": 10000})
        while self.p.get(ACCOUNT + "routes", LIVE).status == 429:
            pass
        self.p.control("PUT", "clock", {"speed": 0})
        self.p.get(ACCOUNT + "routes", LIVE)
        self.assertEqual({self.p.get(ACCOUNT + "routes", LIVE).status for _ in range(20)}, {429})

    def test_Z1_without_limits(self):
        with Paper() as p:
            self.assertEqual({p.get(ACCOUNT + "routes", LIVE).status for _ in range(50)}, {200})


class Fields(ReadingCase):
    def statuses(self, make, field, values):
        """Returns the status of the answer to each value, spelled as it is given."""
        seen = []
        for n, value in enumerate(values):
            body = json.dumps(make(f"{field}{value}", **{field: 123456})).replace("123456", value)
            seen.append(self.p.order(body, "PAPER0001").status)
        return seen

    def test_Z23_order_quantity(self):
        """The quantity is an integer from 1 to 1,000,000."""
        self.assertEqual(self.statuses(stock, "orderQuantity", ("0", "1", "1000000", "1000001", "1.5")),
                         [400, 200, 200, 400, 400])

    def test_Z24_limit_price(self):
        """A limit price may have up to four decimals; that of an option is at most 9999.99."""
        self.assertEqual(self.statuses(stock, "limitPrice", ("0.1234", "0.123400", "0.12345", "1e-4", "1e-5", "10000")),
                         [200, 200, 400, 200, 400, 200])
        self.assertEqual(self.statuses(option, "limitPrice", ("9999.99", "9999.9900", "9999.991", "10000", "1.23456")),
                         [200, 200, 400, 400, 400])

    def test_Z25_legs_and_ratio(self):
        """A spread has 2 to 4 legs, each with a ratio from 1 to 100."""
        def answer(legs):
            return self.p.order(spread(legs=legs), "PAPER0001").status

        condor = [leg(occ(strike=180 + 5 * n), side) for n, side in enumerate(("Buy", "Sell", "Sell", "Buy"))]
        self.assertEqual([answer(condor[:1]), answer(condor[:2]), answer(condor), answer(condor + condor[:1])],
                         [400, 200, 200, 400])
        covered = [[leg("AAPL", "Buy", ratio=ratio), leg(occ(), "Sell")] for ratio in (0, 100, 101)]
        self.assertEqual([answer(legs) for legs in covered], [400, 200, 400])

    def test_Z28_regular_hours(self):
        """Regular hours are 09:30 to 16:00 in New York, both ends included."""
        for when, status in (("2026-01-16T14:29:59.999Z", "Rejected"), ("2026-01-16T14:30:00Z", "PendingNew"),
                             ("2026-01-16T21:00:00Z", "PendingNew"), ("2026-01-16T21:00:00.001Z", "Rejected")):
            self.at(when)
            self.assertEqual(self.send(orderType="Market", limitPrice=None)["orderStatus"], status, when)


class Offers(Locates):
    def test_Z26_an_offer_is_valid_for_30_s(self):
        """The 30 s count from the moment when the row first reaches 65, not from the call."""
        self.offered("kept")
        reached = self.row("kept")["updatedDate"]
        self.assertEqual(reached[:23], "2026-01-15T15:00:01.000")
        self.at("2026-01-15T15:00:30.999Z")
        self.is_at(OFFERED, "kept")
        self.accept("kept")
        self.is_at(FILLED, "kept")
        self.offered("late")
        self.p.advance("28999ms")
        self.is_at(OFFERED, "late")
        self.p.advance("1ms")
        self.is_at(EXPIRED, "late")


class Versions(ReadingCase):
    def test_Z30_the_version_is_a_path_prefix(self):
        """The prefix is /v1/api; under other prefixes there is nothing."""
        self.assertEqual(self.p.get("accounts", LIVE).status, 200)
        for path in ("/accounts", "/v2/api/accounts", "/v1/accounts", "/api/v1/accounts", "/v1/api/v1/api/accounts"):
            self.assertEqual(self.p.call("GET", path, keys=LIVE).status, 404, path)

    def test_Z31_one_listing_of_locates_is_gone(self):
        """The single listing is answered 404; inventory and history exist."""
        self.assertEqual(self.p.get(ACCOUNT + "locates", LIVE).status, 404)
        self.assertEqual((self.get("locates/inventory"), self.get("locates/history")),
                         ({"locateInventory": []}, {"locateHistory": []}))

    def test_Z32_closed_positions_and_single_order_are_there(self):
        self.send("a")
        self.assertEqual((self.closed(), self.p.lookup("a", "LIVE0001").json["clientOrderId"]), ([], "a"))


if __name__ == "__main__":
    unittest.main()
