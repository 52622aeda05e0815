"""Behaviour that the service's document leaves open, set by a control call: each switch and delay, on and off."""
import unittest

from paper import LIVE, PAPER, Paper, SomeFile, leg, occ, spread, stock
from reading_case import ReadingCase


class Switches(ReadingCase):
    account = "PAPER0001"

    def switch(self, **settings):
        self.p.control("PUT", "switches", settings)

    def delay(self, **settings):
        self.p.control("PUT", "delays", settings)

    def text(self, body, account=None):
        row = self.p.order(body, account or self.account).json
        return row["orderStatus"], row["text"]

    def test_E32_a_fill_reaches_pnl_late(self):
        self.delay(pnl="2s")
        self.buy(10, 190)
        self.assertEqual(len(self.positions()), 1)
        self.assertEqual(self.pnl()["pnl"], [])
        self.p.advance("1s")
        self.assertEqual(self.pnl()["pnl"], [])
        self.p.advance("1s")
        self.assertEqual([row["positionId"] for row in self.pnl()["pnl"]], [self.positions()[0]["positionId"]])

    def test_an_order_is_not_known_at_once(self):
        self.delay(known="2s")
        self.assertEqual(self.send("a")["orderStatus"], "PendingNew")
        self.assertEqual([self.p.lookup("a").status, self.p.cancel("a").status], [404, 404])
        self.p.advance("1999ms")
        self.assertEqual(self.p.lookup("a").status, 404)
        self.p.advance("1ms")
        self.assertEqual(self.status("a"), "Filled", "it went its way meanwhile")

    def test_rejections_found_late_take_their_time(self):
        self.delay(reject="3s")
        self.send("a", account="LIVE0001", limitPrice=190, orderQuantity=100000)
        self.p.advance("2999ms")
        self.assertEqual(self.status("a", "LIVE0001"), "PendingNew")
        self.p.advance("1ms")
        self.assertEqual(self.status("a", "LIVE0001"), "Rejected")

    def test_paper_accounts_learn_of_rejections_later(self):
        self.switch(rejections="later")
        for order_id, body in {"a": stock("a", limitPrice=0), "b": stock("b", orderQuantity=1000000),
                               "c": stock("c", symbol="NONE")}.items():
            self.assertEqual(self.text(body), ("PendingNew", None), order_id)
        self.p.advance("40ms")
        texts = [self.p.lookup(order_id).json["text"] for order_id in "abc"]
        self.assertEqual([text.split(":")[0].split(" ")[0] for text in texts], ["R145", "insufficient", "unknown"])
        self.assertEqual(self.text(stock("a"))[1][:4], "R114", "a used id is told of at once")

    def test_r78_without_words(self):
        self.at("2026-01-15T23:00:00Z")
        market = {"orderType": "Market", "limitPrice": None}
        self.assertEqual(self.text(stock("a", **market))[1][:3], "R78")
        self.switch(r78_text=False)
        self.assertEqual(self.text(stock("b", **market)), ("Rejected", None))
        self.assertEqual(self.p.lookup("b").json["text"], None)

    def test_r95_where_the_other_side_is_held(self):
        self.buy(10, 190)
        self.assertEqual(self.text(stock("a", side="Sell", limitPrice=300))[0], "PendingNew")
        self.switch(r95_positions="on")
        self.assertEqual(self.text(stock("b", side="Sell", limitPrice=300))[1][:3], "R95")
        self.assertEqual(self.text(stock("c", side="Sell", openClose="Close", limitPrice=300))[0], "PendingNew")

    def test_a_duplicate_takes_the_look_up(self):
        self.buy(10, 190, clientOrderId="d")
        self.assertEqual((self.text(stock("d"))[1][:4], self.status("d")), ("R114", "Filled"))
        self.switch(duplicate_replaces="on")
        self.assertEqual((self.text(stock("d"))[1][:4], self.status("d")), ("R114", "Rejected"))
        self.assertEqual(len(self.positions()), 1)

    def test_one_sided_sets(self):
        straddle = [leg(occ(), "Buy"), leg(occ(kind="P"), "Buy")]
        self.assertEqual(self.p.order(spread(legs=straddle, limitPrice=50)).status, 200)
        self.switch(one_sided="strict")
        reply = self.p.order(spread(legs=straddle, limitPrice=50))
        self.assertEqual((reply.status, reply.text), (400, "Strategy not supported."))
        self.assertEqual(self.p.order(spread()).status, 200)

    def test_market_orders_of_four_legs(self):
        condor = [leg(occ(kind="P", strike=k), s) for k, s in ((170, "Buy"), (175, "Sell"))] + [
            leg(occ(strike=k), s) for k, s in ((205, "Sell"), (210, "Buy"))]
        order = {"orderType": "Market", "limitPrice": None}
        self.assertEqual(self.text(spread("a", legs=condor, **order))[0], "PendingNew")
        self.switch(four_leg_market="reject")
        self.assertEqual(self.text(spread("b", legs=condor, **order))[0], "Rejected")
        self.assertEqual(self.text(spread("c", **order))[0], "PendingNew")

    def test_pushes_of_the_clean_shape(self):
        self.switch(pushes="clean")
        stream = self.p.portfolio()
        self.send("a")
        row = stream.order()
        self.assertEqual((row["clientOrderId"], row["accountId"], row["canceledQuantity"]), ("a", "PAPER0001", 0))
        self.assertFalse({"userOrderId", "lvsQty", "status"} & set(row))

    def test_the_inventory_of_a_paper_account_bare(self):
        self.switch(bare_inventory="on")
        self.assertEqual(self.get("locates/inventory"), [])
        self.assertEqual(self.get("locates/inventory", "LIVE0001"), {"locateInventory": []})

    def test_the_platform_asleep(self):
        stream = self.p.stream()
        stream.json()
        stream.send({"key": PAPER[0], "secret": PAPER[1]})
        stream.json()
        self.switch(asleep="on")
        self.assertEqual(self.p.get("accounts").json, {"accounts": []})
        for path in ("account/PAPER0001", "accounts/PAPER0001/positions", "accounts/PAPER0001/orders"):
            self.assertEqual(self.p.get(path).status, 404, path)
        self.assertEqual(self.p.order(stock()).status, 400)
        subscription = {"accountId": "PAPER0001", "subscriptions": ["Order"]}
        stream.send(subscription)
        self.assertEqual((lambda m: (m["status"], m["message"]))(stream.json()), ("TERMINATED", "invalid account"))
        self.switch(asleep="off")
        stream.send(subscription)
        self.assertEqual(stream.json()["requestConfirmed"], True)
        self.assertEqual(self.p.get("account/PAPER0001").status, 200)

    def test_calls_that_cannot_be_used_change_nothing(self):
        for path, body in (("switches", {"accepted": "on", "acepted": "on"}),
                           ("switches", {"accepted": "on", "one_sided": "yes"}),
                           ("switches", [1]), ("delays", {"fill": "1h", "cancel": 5}), ("delays", {"fill": None}),
                           ("surface", {"time": "2"}),
                           ("keys/new", {"secret": "x"}), ("keys/paper-key", {"accounts": ["NONE"]}),
                           ("keys/new", {"accounts": [], "secret": ""})):
            reply = self.p.call("PUT", "/paper/" + path, body, keys=None)
            self.assertEqual((reply.status, "error" in reply.json), (400, True), (path, body))
        for path, body in (("reset/NONE", None), ("reset/LIVE0001", None), ("bust", {"tradeId": 1}), ("bust", {})):
            self.assertEqual(self.p.call("POST", "/paper/" + path, body, keys=None).status, 400, path)
        self.send("a")
        self.p.advance("1s")
        self.assertEqual([e["orderStatus"] for e in self.p.control("GET", "orders")["orders"][0]["history"]],
                         ["PendingNew", "New", "Filled"])

    def test_a_key_pair_may_list_accounts_of_both_kinds(self):
        self.p.control("PUT", "keys/both", {"secret": "s", "accounts": ["LIVE0001", "PAPER0001"]})
        rows = self.p.get("accounts", ("both", "s")).json["accounts"]
        self.assertEqual([row["account"] for row in rows], ["LIVE0001", "PAPER0001"])
        self.assertEqual(self.p.get("accounts", LIVE).json["accounts"][0]["account"], "LIVE0001")


class Busts(ReadingCase):
    """A fill is declared void: shares, money and counters are reversed, and its row says so."""

    def bust(self, index=0):
        trade = self.fills()[index]["tradeId"]
        self.p.control("POST", "bust", {"tradeId": trade})
        return trade

    def test_an_opening_fill(self):
        before = self.detail()
        self.p.control("PUT", "rates", {"share": 0.01})
        self.buy(100, 190)
        self.bust()
        self.assertEqual(self.positions(), [])
        after = self.detail()
        for key in ("availableCash", "bp", "equity"):
            self.assertEqual(after[key], before[key], key)
        self.assertEqual([row["canceled"] for row in self.fills()], [True])
        self.assertEqual(self.pnl()["sharesTraded"], 0)

    def test_a_closing_fill(self):
        self.buy(100, 190)
        self.sell(100, 195)
        trade = self.bust(1)
        self.assertEqual([(row["side"], row["shares"]) for row in self.positions()], [("Long", 100)])
        self.assertEqual([row["canceled"] for row in self.fills()], [False, True])
        self.assertEqual(self.p.call("POST", "/paper/bust", {"tradeId": trade}, keys=None).status, 400, "once")
        self.assertEqual(self.pnl()["sharesTraded"], 100)

    def test_it_outlives_a_restart(self):
        with SomeFile() as db:
            for again in (False, True):
                with Paper("--db", db) as self.p:
                    if not again:
                        self.buy(10, 190)
                        self.bust()
                    self.assertEqual([row["canceled"] for row in self.fills()], [True])
                    self.assertEqual(self.positions(), [])


if __name__ == "__main__":
    unittest.main()
