"""The days of the paper brokerage: weekdays, or the exchange's calendar, which is the one of the gate."""
import datetime
import unittest

from paper import LIVE, Paper, SomeFile, in_world, stock

HOLIDAYS = {"2026-01-19", "2026-02-16", "2026-04-03", "2026-05-25", "2026-06-19", "2026-07-03", "2026-09-07",
            "2026-11-26",
            "2026-12-25", "2027-01-01", "2027-01-18", "2027-02-15", "2027-03-26", "2027-05-31", "2027-06-18",
            "2027-07-05", "2027-09-06", "2027-11-25", "2027-12-24"}
EARLY = {"2026-11-27", "2026-12-24", "2027-11-26"}
MARKET = {"orderType": "Market", "limitPrice": None, "orderQuantity": 1}


class Calendar(unittest.TestCase):
    def at(self, p, day, hour):
        summer = any(a <= day < b for a, b in (("2026-03-08", "2026-11-01"), ("2027-03-14", "2027-11-07")))
        p.control("PUT", "clock", {"now": f"{day}T{hour}{'-04:00' if summer else '-05:00'}"})

    def trades(self, p, day, hour, **order):
        self.at(p, day, hour)
        row = p.order(stock(f"{day} {hour}".replace(":", "").replace(" ", "-"), **{**MARKET, **order})).json
        return row["orderStatus"] != "Rejected"

    def days(self):
        day = datetime.date(2026, 1, 16)
        while day.year < 2028:
            yield day.isoformat(), day.weekday()
            day += datetime.timedelta(1)

    def test_two_years(self):
        with Paper("--calendar", "exchange", clock="2026-01-16T10:00:00Z") as p:
            for day, weekday in self.days():
                session = weekday < 5 and day not in HOLIDAYS
                self.assertEqual(self.trades(p, day, "12:59:59"), session, day)
                if session:
                    self.assertEqual(self.trades(p, day, "13:00:01"), day not in EARLY, day)

    def test_hours_of_an_early_close(self):
        """Extended hours end at 17:00, orders of the day end at 13:00, and trades settle on the next session."""
        with Paper("--calendar", "exchange", clock="2026-11-25T15:00:00Z") as p:
            p.order(stock("s", route="SMART"), "LIVE0001")
            p.advance("1s")
            fill = p.get("accounts/LIVE0001/orders/start-date/2026-11-25", LIVE).json["orders"][0]
            self.assertEqual(fill["settleDate"][:10], "2026-11-27", "not on Thanksgiving")
            self.at(p, "2026-11-27", "10:00:00")
            for name, tif in (("day", "Day"), ("plus", "Day_Plus")):
                p.order(stock(name, limitPrice=1, timeInForce=tif))
            p.advance("1s")
            seen = []
            for hour in ("13:00:00", "13:00:01", "17:00:00", "17:00:01"):
                self.at(p, "2026-11-27", hour)
                seen.append([p.lookup(name).json["orderStatus"] for name in ("day", "plus")])
            self.assertEqual(seen, [["New", "New"], ["DoneForDay", "New"], ["DoneForDay", "New"],
                                    ["DoneForDay", "DoneForDay"]])

    def test_who_says(self):
        """The option comes before the scenario, and without either there are weekdays alone."""
        for said, option, holiday in (("", (), False), ("calendar: exchange\n", (), True),
                                      ("calendar: weekdays\n", (), False), ("", ("exchange",), True),
                                      ("calendar: exchange\n", ("weekdays",), False),
                                      ("calendar: exchange\nholidays: [2026-01-20]\n", (), True)):
            with in_world(said, *(a for o in option for a in ("--calendar", o))) as p:
                self.assertEqual(self.trades(p, "2026-01-19", "12:00:00"), not holiday, (said, option))
                self.assertEqual(self.trades(p, "2026-01-20", "12:00:00"), "holidays" not in said)

    def test_wrong_words(self):
        with SomeFile("w.yaml") as path:
            with open(path, "w") as f:
                f.write("scenario: 1\ncalendar: moon\n")
            for arguments in (("--scenario", path), ("--calendar", "moon")):
                with self.assertRaises(RuntimeError) as caught:
                    Paper(*arguments)
                self.assertIn("weekdays or exchange", str(caught.exception))


if __name__ == "__main__":
    unittest.main()
