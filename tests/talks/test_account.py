"""The account object (group C of docs/readings.md)."""
import unittest

from endpoints import ACCOUNT_READS, Endpoints
from orders import exact, is_number
from paper import LIVE, in_world, leg, occ, option, spread, stock
from reading_case import CONTRACT, PATHS

SAME = ("account accountStatus accountType availableCash equity leverage maintenanceDeficit marginDeficit marginRatio "
        "optContractsTraded optLevel optionTradingLevel optionCashTotalBalance overnightBp realized sharesTraded "
        "sodEquity totalCommissions totalLocateCosts usedLeverage").split()
NEXT = "2026-01-16T15:00:00Z"


class Account(Endpoints):
    def price(self, symbol, price):
        self.p.quote(symbol, price, price, price)

    def listed(self, account=None):
        account = account or self.account
        rows = exact(self.p.get("accounts", PATHS[account]))["accounts"]
        self.assertEqual([r["account"] for r in rows], [account])
        return rows[0]

    def detail(self, account=None):
        account = account or self.account
        return exact(self.p.get(f"account/{account}", PATHS[account]))

    def is_at(self, key, value, account=None):
        """Assert that the field is a number, and has this value in both the list and the detail."""
        for row in (self.detail(account), self.listed(account)):
            self.assertTrue(is_number(row[key]), row[key])
            self.assertEqual(str(row[key]), str(value), key)

    def set(self, account=None, **fields):
        self.p.control("PUT", f"accounts/{account or self.account}", fields)

    def test_C1_list_and_detail_have_the_same_fields(self):
        """The account list and the account detail have the same fields, except that the list has buyingPower and the
        detail has bp."""
        for account in PATHS:
            self.assertEqual(sorted(self.listed(account)), sorted(SAME + ["buyingPower"]))
            self.assertEqual(sorted(self.detail(account)), sorted(SAME + ["bp"]))
        self.buy(10, 100.25)
        self.buy(1, 2.5, CONTRACT)
        self.at(NEXT)
        listed, detail = self.listed(), self.detail()
        self.assertEqual({k: listed[k] for k in SAME}, {k: detail[k] for k in SAME})

    def test_C2_account_is_the_id_of_every_path(self):
        self.rest("a")
        account = self.listed()["account"]
        self.assertIsInstance(account, str)
        for row, path in ACCOUNT_READS.items():
            self.assertEqual(self.p.get(path.format(a=account), LIVE).status, 200, row)
        self.assertEqual(self.detail()["account"], account)

    def test_C2_a_key_may_list_several(self):
        with in_world("accounts: {A-1: {}, B_2: {}, C.3: {}}\nkeys: {k: {secret: s, accounts: [B_2, A-1, C.3]}}") as p:
            ids = [r["account"] for r in p.get("accounts", ("k", "s")).json["accounts"]]
            self.assertEqual(ids, ["B_2", "A-1", "C.3"])
            self.assertEqual([p.get(f"account/{i}", ("k", "s")).json["account"] for i in ids], ids)

    def test_C3_active_means_that_orders_are_taken(self):
        """With any status but Active the order is rejected, on paper without a code."""
        self.assertEqual([self.detail(a)["accountStatus"] for a in PATHS], ["Active", "Active"])
        self.assertEqual(self.send("a")["orderStatus"], "PendingNew")
        for n, status in enumerate(("Closed", "active", "")):
            self.set(accountStatus=status)
            self.set("PAPER0001", accountStatus=status)
            self.assertEqual((self.detail()["accountStatus"], self.listed()["accountStatus"]), (status, status))
            row = self.send(f"p{n}", "PAPER0001")
            self.assertEqual((row["orderStatus"], row["text"]), ("Rejected", "the account is not active"))
            self.send(f"l{n}")
            self.p.advance("100ms")
            self.assertEqual(self.p.lookup(f"l{n}", "LIVE0001").json["text"], "R24: the account is not active")

    def test_C5_account_type(self):
        """A paper account has the type Paper, whatever type is set for the live account."""
        self.assertEqual([self.detail(a)["accountType"] for a in ("PAPER0001", "LIVE0001")], ["Paper", "Live"])
        for kind, route in (("Margin", "SMART"), ("paper", "SMART"), ("Paper", "PAPER")):
            self.set(accountType=kind)
            self.assertEqual((self.detail()["accountType"], self.listed()["accountType"]), (kind, kind))
            self.assertEqual(self.get("routes")["routes"][0]["routeName"], route)

    def test_C6_available_cash(self):
        """Available cash is right to the cent: purchases have been deducted, and sales have been added."""
        self.is_at("availableCash", 50000)
        self.buy(3, 10.25)
        self.is_at("availableCash", "49969.25")
        self.sell(1, 11)
        self.is_at("availableCash", "49980.25")

    def test_C7_buying_power(self):
        """Buying power is reserved by a working order and given back when it ends, and used by a lot. No order beyond
        it is accepted."""
        def seen():
            detail, listed = self.detail(), self.listed()
            self.assertEqual(detail["bp"], listed["buyingPower"])
            return str(detail["bp"])
        self.assertEqual(seen(), "100000")
        self.send("a", limitPrice=100.25)
        self.assertEqual(seen(), "98997.5")
        self.p.cancel("a", "LIVE0001")
        self.p.advance("1s")
        self.assertEqual(seen(), "100000")
        self.buy(10, 100)
        self.assertEqual(seen(), "99000")
        self.price("AAPL", 99)
        self.send("most", orderQuantity=1000, limitPrice=99)
        self.send("over", orderQuantity=1, limitPrice=1, symbol="F")
        self.p.advance("100ms")
        self.assertEqual((self.status("most"), seen(), self.status("over")), ("Filled", "0", "Rejected"))

    def test_C8_equity_is_cash_and_positions(self):
        """Unlike accountValue of the P&L, equity does not change with every price. The cost of closing a short position
        is subtracted."""
        self.buy(10, 100)
        self.is_at("equity", 50000)
        self.price("AAPL", 110)
        self.is_at("equity", 50000)
        self.assertEqual(self.pnl()["accountValue"], 50100)
        self.p.advance("1s")
        self.is_at("equity", 50100)
        self.short(10, 20, "MSFT")
        self.price("MSFT", 20.5)
        self.p.advance("1s")
        self.is_at("equity", 50095)
        self.buy(2, 1.5, CONTRACT)
        self.price(CONTRACT, 2)
        self.p.advance("1s")
        self.is_at("equity", 50195)

    def test_C9_leverage_is_the_most_allowed(self):
        self.is_at("leverage", 2)
        self.is_at("leverage", 1, "PAPER0001")
        self.assertEqual(self.pnl()["allowedLeverage"], 2)

    def test_C10_maintenance_deficit(self):
        """The maintenance deficit is 0 while the account is healthy."""
        self.is_at("maintenanceDeficit", 0)
        self.set(maintenanceDeficit=12.5)
        self.is_at("maintenanceDeficit", "12.5")

    def test_C11_margin_deficit(self):
        """The margin deficit is 0 while the account is healthy."""
        self.is_at("marginDeficit", 0)
        self.set(marginDeficit=250)
        self.is_at("marginDeficit", 250)

    def test_C12_margin_ratio_is_a_percentage(self):
        """A margin ratio of 100 means fully margined; it is lower where equity covers only a part of what is held."""
        self.is_at("marginRatio", 100)
        self.buy(400, 100)
        self.is_at("marginRatio", 100)
        self.buy(400, 100)
        self.is_at("marginRatio", "62.5")
        self.assertEqual(self.pnl()["equityRatio"], 0.625)

    def test_C13_option_contracts_traded(self):
        """Contracts bought and sold on the day before are counted, as row C24 says."""
        self.buy(2, 1, CONTRACT)
        self.sell(1, 1, CONTRACT)
        self.buy(10, 1, "F")
        self.at(NEXT)
        self.is_at("optContractsTraded", 3)

    def test_C14_both_names_of_the_option_level(self):
        """The level is 0 to 4, and the same under both names."""
        for level in (0, 1, 2, 3, 4):
            self.set(**{"optLevel" if level % 2 else "optionTradingLevel": level})
            self.is_at("optLevel", level)
            self.is_at("optionTradingLevel", level)

    def test_C15_cash_attributable_to_options(self):
        """The field equals optionCashUsed of the P&L."""
        self.is_at("optionCashTotalBalance", 0)
        self.buy(10, 100)
        self.buy(2, 1.25, CONTRACT)
        self.is_at("optionCashTotalBalance", 250)
        self.assertEqual(self.pnl()["optionCashUsed"], 250)

    def test_C16_overnight_buying_power(self):
        self.is_at("overnightBp", 100000)
        self.buy(10, 100)
        self.is_at("overnightBp", 99000)
        self.set(overnightBp=40000)
        self.is_at("overnightBp", 40000)

    def test_C17_realized(self):
        """The field is the profit realized on the day before."""
        self.buy(10, 100)
        self.sell(10, 103.25)
        self.buy(10, 103)
        self.sell(10, 102)
        self.at(NEXT)
        self.is_at("realized", "22.5")

    def test_C18_shares_traded(self):
        """Shares of both sides on the day before are counted, and contracts are not."""
        self.buy(10, 100)
        self.sell(4, 100)
        self.buy(2, 1, CONTRACT)
        self.at(NEXT)
        self.is_at("sharesTraded", 14)

    def test_C20_commissions(self):
        """The field is the commissions of the day before."""
        self.p.control("PUT", "rates", {"share": 0.005, "contract": 0.65})
        self.buy(100, 10, "F")
        self.buy(1, 1, CONTRACT)
        self.at(NEXT)
        self.is_at("totalCommissions", "1.15")

    def test_C22_used_leverage(self):
        """Used leverage is exposure divided by account value, as the P&L has it; 0 when the account holds nothing."""
        self.is_at("usedLeverage", 0)
        self.buy(750, 100)
        self.is_at("usedLeverage", "1.5")
        self.assertEqual(self.pnl()["usedLeverage"], 1.5)
        self.sell(750, 100)
        self.is_at("usedLeverage", 0)


class Levels(Endpoints):
    """Option levels: what a level allows is accepted from that level on, and rejected below it."""

    def needs(self, level, make, **changes):
        """Assert that the order is rejected below that level, and accepted from it on."""
        for has in range(5):
            self.p.control("PUT", "accounts/PAPER0001", {"optLevel": has})
            row = self.p.order(make(f"{self.count}", **changes), "PAPER0001").json
            self.count += 1
            if has < level:
                self.assertEqual((row["orderStatus"], row["text"]),
                                 ("Rejected", f"option level {level} is needed, the account has {has}"))
            else:
                self.assertEqual(row["orderStatus"], "PendingNew", f"{row['text']} at level {has}, {level} needed")
                self.p.cancel(row["clientOrderId"])
                self.p.advance("1s")

    def held(self, *lots):
        self.p.control("PUT", "positions/PAPER0001",
                       [{"symbol": s, "side": "Long", "shares": n, "priceAvg": 1} for s, n in lots])

    def test_C23_option_levels(self):
        """Level 0 allows nothing; 1 covered calls, cash-secured and protective puts; 2 long calls and puts; 3 spreads;
        4 uncovered options."""
        self.count = 0
        call, put = occ(strike=190), occ(kind="P", strike=190)
        rest = {"limitPrice": 0.01}
        dear = {"limitPrice": 50}  # a sale that rests
        self.held(("AAPL", 100))
        self.needs(1, option, symbol=call, side="Sell", **dear)
        self.needs(1, option, symbol=put, side="Buy", **rest)
        self.held()
        self.needs(1, option, symbol=put, side="Sell", **dear)
        self.needs(2, option, symbol=call, side="Buy", **rest)
        self.needs(2, option, symbol=put, side="Buy", **rest)
        self.needs(3, spread, **rest)
        self.needs(4, option, symbol=call, side="Sell", **dear)
        self.p.control("PUT", "accounts/PAPER0001", {"availableCash": 1000})
        self.needs(4, option, symbol=put, side="Sell", **dear)
        self.needs(4, spread, legs=[leg(put, "Sell"), leg(call, "Sell")], **dear)
        self.needs(0, stock, **rest)
        self.held((call, 1))
        self.needs(0, option, symbol=call, side="Sell", openClose="Close", **dear)


if __name__ == "__main__":
    unittest.main()
