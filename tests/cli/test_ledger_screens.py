"""ordergate ledger list, unknown and show on a terminal: at two widths, with and without colour, beside stored screens;
what a pipe gets is what it got."""
import os
import re
import subprocess
import unittest

from ledger_maker import Maker, empty
from sender import TempHome
from terminal import Screens, screen

LEDGER = os.path.join(os.environ["OG_BIN"], "ordergate-ledger")
os.environ.setdefault("ORDERGATE_PAPER", os.path.join(os.environ["OG_BIN"], "ordergate-paper"))
HERE = os.path.dirname(os.path.abspath(__file__))
SGR = re.compile("\x1b\\[\\d*m")
OPENING = 1768487400 * 10**9  # 2026-01-15T14:30:00Z


def body(**more):
    return {"securityType": "Stock", "symbol": "AAPL", "side": "Buy", "openClose": "Open", "orderType": "Limit",
            "orderQuantity": 100, "limitPrice": 190.01, "timeInForce": "Day", **more}


def spread():
    legs = [{"symbol": f"SPY260220C00{strike}000", "side": side, "ratio": 1, "openClose": "Open"}
            for strike, side in ((600, "Buy"), (610, "Sell"))]
    return {"securityType": "Mleg", "symbol": "SPY", "orderType": "Limit", "orderQuantity": 1, "limitPrice": 5,
            "timeInForce": "Day", "legs": legs}


DECISION = {"line": 1, "verdict": "accept", "predicts": {"channel": "accepted", "certainty": "stated"}, "findings": [],
            "policy": "live@sha256:12", "facts": "sha256:34"}
REFUSAL = {**DECISION, "verdict": "refuse", "findings": [
    {"rule": "price-collar", "reason": "limit-away-from-quote", "level": "refuse", "field": "/limitPrice",
     "message": "limitPrice 250 is more than 10% above the ask 189.52"}], "order": body(limitPrice=250)}
HOSTILE = "\x1b[2J\x1b]0;title\x07\u202eturned \u682a\u5f0f\u4f1a\u793e"


def fill(path, accounts):
    """A day of orders of these accounts in turn; one ends in each state."""
    maker = Maker(path)
    at = OPENING

    def of(i):
        return accounts[i % len(accounts)]
    maker.row(at, "r1", of(0), "a0", "decision", "refused", detail=REFUSAL, text=REFUSAL["findings"][0]["message"])
    ends = [("filled", "", "100", "189.98"), ("working", "", "40", "189.9"),
            ("rejected", "R78: market is closed", "0", "0"), ("unknown", "", "0", "0"),
            ("canceled", HOSTILE, "0", "0"), ("expired", "", "0", "0"),
            ("not-sent", "the service was busy until --wait was over", "0", "0")]
    bodies = [body(), body(orderType="StopLimit", stopPrice=191), body(orderType="Market", limitPrice=None), spread(),
              body(symbol="AAPL260220C00200000", securityType="Option", orderQuantity=2, limitPrice=9.5), body(),
              body(side="Sell", openClose="Close")]
    for i, ((state, text, executed, price), order) in enumerate(zip(ends, bodies), 1):
        at += 61 * 10**9
        id = f"a{i}" if i != 6 else "an-id-of-thirty-six-characters-in-all"
        tag = "pairs" if i == 2 else None
        order = {k: v for k, v in order.items() if v is not None}
        maker.row(at, "r1", of(i), id, "decision", "intended", detail={**DECISION, "line": i}, tag=tag)
        maker.row(at, "r1", of(i), id, "intent", "intended", detail={**order, "clientOrderId": id}, tag=tag)
        maker.row(at + 10**9, "r1", of(i), id, "post", "posted", tag=tag,
                  detail={"http": 200, "orderStatus": "PendingNew", "error": None, "attempts": 1, "tookUs": 900})
        maker.row(at + 2 * 10**9, "r1", of(i), id, "update", state, broker_id="B1", executed=executed, price=price,
                  text=text or None, detail={"source": "stream", "heard": "New"}, tag=tag)
    maker.close()


class OnATerminal(Screens, unittest.TestCase):
    FOLDER = os.path.join(HERE, "screens")
    VIEWS = {"list": ("list",), "unknown": ("unknown",), "show": ("show", "a2"), "show-spread": ("show", "a4")}

    def compare(self, home, name, *args):
        for columns in (80, 200):
            argv = [LEDGER, "--ledger", home.ledger, *args]
            (plain, _), (coloured, code) = (screen(argv, columns, NO_COLOR=no) for no in ("1", None))
            self.assertEqual(code, 0)
            self.stored(f"ledger-{name}-{columns}.txt", plain)
            self.assertEqual(SGR.sub("", coloured), plain)
            self.assertNotRegex(plain, "[\x00-\x09\x0b-\x1f\x7f\u202e]")
            self.assertIn("\x1b[1m", coloured)
            piped = subprocess.run(argv + ["--format", "table"], capture_output=True, text=True,
                                   env={**os.environ, "COLUMNS": str(columns)})
            self.assertEqual(piped.stdout, plain)

    def test_screens(self):
        with TempHome() as home:
            empty(home)
            fill(home.ledger, ["PAPER0001"])
            for name, args in self.VIEWS.items():
                self.compare(home, name, *args)

    def test_two_accounts(self):
        with TempHome() as home:
            empty(home)
            fill(home.ledger, ["PAPER0001", "LIVE0001"])
            self.compare(home, "list-two", "list")

    def test_no_order(self):
        with TempHome() as home:
            empty(home)
            for args in ("list", "--state", "filled"), ("unknown",):
                self.assertEqual(screen([LEDGER, "--ledger", home.ledger, *args]), ("", 0))

    def test_a_pipe_gets_what_it_got(self):
        with TempHome() as home:
            empty(home)
            fill(home.ledger, ["PAPER0001"])
            argv = [LEDGER, "--ledger", home.ledger, "--since", "2026-01-15T14:30:00Z"]
            for name, args in {**self.VIEWS, "csv": ("list", "--format", "csv")}.items():
                full = (argv if args[0] == "list" else argv[:3]) + list(args)
                done = subprocess.run(full, capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                lines = [x for x in done.stdout.splitlines(True) if '"first"' not in x]  # made by a run of send
                self.stored(f"ledger-{name}-pipe.txt", re.sub(r"(sha|hs-)256:[0-9a-f]{64}", "HASH", "".join(lines)))
                if name != "csv":
                    self.assertEqual(screen(full + ["--format", "ndjson"])[0], done.stdout)


if __name__ == "__main__":
    unittest.main()
