"""Both WebSocket streams: hello, sign-in, subscription, pushes, and how a connection ends."""
import unittest

from paper import PAPER, Closed, Paper, spread, stock


class Base(unittest.TestCase):
    def setUp(self):
        self.p = Paper()
        self.addCleanup(self.p.stop)


class SignIn(Base):
    def test_hello_is_repeated_until_the_keys_come(self):
        s = self.p.stream()
        hello = s.json()
        self.assertEqual(hello, {"@system": True, "ts": 1768489200000, "status": "PENDING_AUTH",
                                 "message": "Send authenticate message"})
        self.p.advance("12s")
        self.assertEqual([s.json()["ts"] for _ in range(2)], [1768489205000, 1768489210000])
        s.send({"key": PAPER[0], "secret": PAPER[1]})
        self.assertEqual(s.json(), {"@system": True, "ts": 1768489212000, "status": "CONNECTED"})
        self.p.advance("1m")
        self.assertTrue(s.quiet(), "no hello and no keepalive once signed in")

    def test_what_is_not_a_subscription_leaves_the_stream_open(self):
        s = self.p.stream()
        s.json()
        for junk in ("hello", "[]", '{"a":', "{}", '{"key":1,"secret":2}',
                     '{"accountId":"PAPER0001","subscriptions":["Order"]}'):
            s.send(junk)
            self.assertEqual(s.json()["status"], "INVALID_DATA", junk)
        s.send({"key": PAPER[0], "secret": PAPER[1]})
        self.assertEqual(s.json()["status"], "CONNECTED")
        for junk in ({}, {"account": "PAPER0001"}, {"accountId": "PAPER0001"},
                     {"accountId": "PAPER0001", "subscriptions": []},
                     {"accountId": "PAPER0001", "subscriptions": ["order"]},
                     {"accountId": 1, "subscriptions": ["Order"]}):
            s.send(junk)
            self.assertEqual(s.json()["status"], "INVALID_DATA", junk)
        for account in ("LIVE0001", "NOBODY"):
            s.send({"accountId": account, "subscriptions": ["Order"]})
            answer = s.json()
            self.assertEqual((answer["status"], answer["message"]), ("TERMINATED", "invalid account"))
        s.send({"accountId": "paper0001", "subscriptions": ["Order"]})
        self.assertEqual(s.json(),
                         {"ts": 1768489200000, "accountId": "PAPER0001", "action": "meta", "requestConfirmed": True})

    def test_binary_and_oversized_messages_end_it(self):
        for message, opcode in ((b"\0\1", 2), (b"x" * 70000, 1)):
            s = self.p.stream()
            s.json()
            if len(message) > 65535:  # the test's client reads only two sizes of frame
                s.send(message[:60000], opcode)
                s.send(message[:60000], 0)
            else:
                s.send(message, opcode)
            with self.assertRaises(Closed):
                while True:
                    s.json()
        self.assertEqual(self.p.get("accounts").status, 200)


class Portfolio(Base):
    def test_pushes_of_an_order(self):
        s = self.p.portfolio()
        self.assertTrue(s.quiet(), "no snapshot")
        self.p.order(stock("a:b"))
        self.p.advance("1s")
        rows = [s.json() for _ in range(4)]
        self.assertEqual([(r["action"], r["subscription"], r["accountId"]) for r in rows],
                         [("update", "Order", "PAPER0001")] * 3 + [("update", "Position", "PAPER0001")])
        orders = [r["order"] for r in rows[:3]]
        self.assertEqual([o["orderStatus"] for o in orders], ["PendingNew", "New", "Filled"])
        self.assertEqual([r["ts"] for r in rows], [1768489200000, 1768489200040, 1768489200100, 1768489200100])
        row = orders[2]
        for key, value in (("account", "PAPER0001"), ("userOrderId", "PAPER0001:a:b"), ("status", "Filled"),
                           ("lvsQty", 0),
                           ("leavesQuantity", 0), ("cancelledQuantity", 0), ("lastQty", 10), ("maxDisplayQty", 0),
                           ("accountType", "Paper"), ("condition", None), ("legIndex", 0), ("side", "Buy"),
                           ("startTimeET", "2026-01-15T10:00:00.0000000-05:00"), ("priceAvg", 190.01)):
            self.assertEqual(row[key], value, key)
        for key in ("accountId", "clientOrderId", "canceledQuantity", "lastQuantity", "maxDisplayQuantity", "orderId"):
            self.assertNotIn(key, row)
        clean = self.p.lookup("a:b").json
        for key in set(clean) & set(row):
            self.assertEqual(clean[key], row[key], key)
        position = rows[3]["position"]
        rest = self.p.get("accounts/PAPER0001/positions").json["positions"][0]
        self.assertEqual(position["id"], rest["positionId"])
        self.assertFalse({"positionId", "marginRequirement", "maintenanceRequirement"} & set(position))

    def test_rejections(self):
        s = self.p.portfolio("LIVE0001")
        self.p.order(stock("now", route="SMART", limitPrice=-1), "LIVE0001")
        row = s.order()
        self.assertEqual((row["orderStatus"], row["text"][:5]), ("Rejected", "R145:"))
        self.p.order(stock("now", route="SMART"), "LIVE0001")
        self.assertTrue(s.quiet(), "a duplicate is no news of the order whose id it used")
        self.p.order(stock("later", route="SMART", orderQuantity=100000), "LIVE0001")
        self.p.advance("50ms")
        first, second = s.order(), s.order()
        self.assertEqual([(r["orderStatus"], r["text"]) for r in (first,)], [("PendingNew", None)])
        self.assertEqual((second["orderStatus"], second["text"][:4]), ("Rejected", "R24:"))
        self.assertTrue(second["startTime"] < second["lastUpdated"])
        self.p.order(stock("st", route="SMART", orderType="Stop", limitPrice=None, stopPrice=150), "LIVE0001")
        self.p.advance("50ms")
        self.assertEqual([s.order()["userOrderId"] for _ in range(2)], ["LIVE0001:stINVALID"] * 2)

    def test_legs_come_with_the_shape(self):
        s = self.p.portfolio()
        self.p.order(spread("m", limitPrice=0.01))
        self.p.advance("1s")
        self.assertEqual([s.order()["legs"] for _ in range(2)], [None, None])
        self.p.cancel("m")
        row = s.order()
        self.assertEqual((row["orderStatus"], len(row["legs"]), row["legCount"], row["side"]),
                         ("PendingCancel", 2, 2, "Buy"))

    def test_many_clients_hear_everything_in_order(self):
        streams = [self.p.portfolio() for _ in range(60)]
        for i in range(50):
            self.p.order(stock(f"o{i}"))
        self.p.advance("1s")
        for s in streams:
            seen = [s.order()["userOrderId"] for _ in range(150)]
            self.assertEqual(seen[:50], [f"PAPER0001:o{i}" for i in range(50)])
            self.assertEqual(sorted(seen), sorted([f"PAPER0001:o{i}" for i in range(50)] * 3))

    def test_a_client_that_does_not_read_is_dropped(self):
        slow, quick = self.p.portfolio(), self.p.portfolio()
        sent, heard = 12000, 0
        for i in range(sent):  # far more than the sockets' own buffers and the queue can keep
            self.p.order(stock("o" * 480 + str(i), limitPrice=-1))
            quick.order()
        with self.assertRaises(Closed):
            while heard <= sent:
                slow.json()
                heard += 1
        self.assertLess(heard, sent)
        self.assertEqual(self.p.get("accounts").status, 200)


if __name__ == "__main__":
    unittest.main()
