"""Quotes replayed from CSV and NDJSON take effect at their times on the service's clock; and errors in such a file."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

from paper import PAPER, Paper, REGULAR, stock

CSV = """\
time,symbol,bid,ask,last,bidSize,askSize
1,AAPL,200,200.10,200.05,50,60
1500ms,AAPL,,200.20,,,
2.25,NEW,5,5.02,5.01,,
2.25,AAPL,201,201.10,,10,10
60,AAPL,150,150.02,150.01,,
"""


class Replay(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, text, name="quotes.csv", scenario="scenario: 1\nreplay: {file: %s}\n"):
        (self.folder / name).write_text(text)
        path = self.folder / "world.yaml"
        path.write_text(scenario % name)
        return str(path)

    def last(self, p, symbol="AAPL"):
        p.control("PUT", "positions/PAPER0001", [{"symbol": symbol, "shares": 1000, "priceAvg": 1}])
        return p.get("accounts/PAPER0001/pnl").json["pnl"][0]["exposure"] / 1000

    def at_times(self, path, **more):
        with Paper("--scenario", path, **more) as p:
            seen = []
            for when in ("15:00:00.999", "15:00:01", "15:00:01.500", "15:00:02.250", "15:00:59.999", "15:01:00"):
                p.control("PUT", "clock", {"now": f"2026-01-15T{when}Z"})
                seen.append(self.last(p))
            return seen, self.last(p, "NEW")

    PRICES = ([190, 200.05, 200.1, 201.05, 201.05, 150.01], 5.01)

    def test_rows_come_at_their_times(self):
        self.assertEqual(self.at_times(self.write(CSV)), self.PRICES)

    def test_ndjson_means_the_same(self):
        rows = []
        head, *lines = CSV.splitlines()
        for line in lines:
            row = {key: value for key, value in zip(head.split(","), line.split(",")) if value}
            rows.append(json.dumps({k: v if k == "symbol" or v.endswith("ms") else float(v) if "." in v else int(v)
                                    for k, v in row.items()}))
        self.assertEqual(self.at_times(self.write("\n".join(rows), "quotes.ndjson")), self.PRICES)

    def test_instants_and_windows_line_ends(self):
        text = CSV.replace("1500ms", "2026-01-15T15:00:01.5Z").replace("2.25,",
                                                                       "2026-01-15T10:00:02.25-05:00,").replace(
            "\n1,", "\n2026-01-15T15:00:01Z,").replace("\n60,", "\n2026-01-15T15:01:00Z,")
        self.assertEqual(self.at_times(self.write(text.replace("\n", "\r\n"))), self.PRICES)

    def test_what_lies_behind_has_happened(self):
        text = ("symbol,last,time\nAAPL,100,2026-01-15T14:00:00Z\nAAPL,101,2026-01-15T14:59:59Z\n"
                "AAPL,102,2026-01-15T15:00:01Z\n")
        with Paper("--scenario", self.write(text)) as p:
            p.advance("1ms")
            self.assertEqual(self.last(p), 101)
            p.advance("1s")
            self.assertEqual(self.last(p), 102)

    def test_orders_fill_as_the_quotes_cross_them(self):
        with Paper("--scenario", self.write(CSV)) as p:
            p.order(stock("a", limitPrice=151, orderQuantity=100))
            p.order(stock("s", side="Sell", limitPrice=201, symbol="AAPL", openClose="Close"))
            p.order(stock("n", symbol="NEW", limitPrice=5.02))
            p.advance("59s")
            self.assertEqual(p.lookup("a").json["orderStatus"], "New")
            self.assertEqual(p.lookup("n").json["priceAvg"], 5.02)
            p.advance("1s")
            row = p.lookup("a").json
            self.assertEqual((row["orderStatus"], row["executed"], row["priceAvg"]), ("Filled", 100, 150.02))
            self.assertEqual(row["lastUpdated"], "2026-01-15T15:01:00.0000000+00:00")

    def test_it_plays_on_clocks_that_run(self):
        with Paper("--scenario", self.write(CSV), clock=REGULAR + "@100") as p:
            stream = p.portfolio()
            p.order(stock("a", limitPrice=151))
            while stream.order()["orderStatus"] != "Filled":
                pass

    def test_it_plays_on_the_real_clock(self):
        rows = "".join(f"{n * 50}ms,AAPL,{100 + n}\n" for n in range(1, 9))
        with Paper("--scenario", self.write("time,symbol,last\n" + rows), clock="real") as p:
            p.control("PUT", "positions/PAPER0001", [{"symbol": "AAPL", "shares": 1, "priceAvg": 1}])
            pnl = p.stream("pnl")
            pnl.json()
            pnl.send({"key": PAPER[0], "secret": PAPER[1]})
            pnl.json()
            pnl.send({"account": "PAPER0001"})
            seen = [pnl.json()["pnlReturn"]["positions"][0]["pnlCalc"]["exposure"]]
            while seen[-1] < 108:
                message = pnl.json()
                if message["target"] == "position":
                    seen.append(message["position"]["pnlCalc"]["exposure"])
            self.assertEqual(seen, sorted(seen))

    def test_sizes_limit_fills(self):
        with Paper("--scenario", self.write(CSV)) as p:
            p.advance("1s")
            p.order(stock("a", limitPrice=300, orderQuantity=100))
            p.advance("100ms")
            self.assertEqual(p.lookup("a").json["executed"], 60)

    def test_everything_wrong_in_a_file(self):
        text = ("time,symbol,bid,ask,volume\n1,AAPL,x,2,\n0.5,,1,2,\nsoon,AAPL,1,2,\n3,AAPL,3,2,\n4,AAPL,1,1.0000001,\n"
                "2,AAPL,1,2,\n5,AAPL,1,2,\n4.5,AAPL,1,2,\n2026-01-15T15:00:00Z,AAPL,1,2,\n")
        path = self.write(text)
        done = subprocess.run([os.environ["ORDERGATE_PAPER"], "--scenario", path, "--check"], capture_output=True,
                              text=True, timeout=600)
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        places = [line.split(": error: ")[0] for line in done.stdout.splitlines()]
        self.assertEqual(places, [f"quotes.csv:{place}" for place in ("1:21", "2:8", "3:5", "4:1", "5:10", "6:10",
                                                                      "9:1", "10:1")])

    def test_files_that_are_none(self):
        for text in ("", "time\n", "symbol,bid\nAAPL,1\n", "{\n", '{"time":1,"symbol":"A","bid":[1]}\n',
                     '{"time":1,"symbol":"A","price":1}\n'):
            done = subprocess.run([os.environ["ORDERGATE_PAPER"], "--scenario", self.write(text), "--check"],
                                  capture_output=True, text=True, timeout=600)
            self.assertEqual((done.returncode, done.stderr), (1, ""), text)
            self.assertRegex(done.stdout, r"^quotes.csv:1:\d+: error: ", text)

    def test_the_shipped_opening(self):
        with Paper("--scenario", "opening", clock="2026-01-15T14:29:00Z") as p:
            p.order(stock("a", symbol="GME", orderType="Market", limitPrice=None))
            p.order(stock("b", symbol="SPY", limitPrice=600.31, timeInForce="AtTheOpening"))
            p.advance("1m")
            self.assertEqual(p.lookup("a").json["text"][:3], "R78")
            p.advance("90s")
            self.assertEqual(p.lookup("b").json["priceAvg"], 600.25, "at the open the quote before the bell's")


if __name__ == "__main__":
    unittest.main()
