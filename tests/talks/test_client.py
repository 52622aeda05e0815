"""The client as a program links it (ordergate/broker.h): its structs hold exactly what the service wrote."""
import decimal
import json
import os
import subprocess

from endpoints import Endpoints
from orders import exact
from paper import LIVE
from parallel_unittest import main
from programs import Programs

HISTORY = "orders-with-pagination/start-date/2026-01-15"
PLACES = {  # call: (path below the account, name of the list in the document)
    "pnl": ("pnl", "pnl"), "positions": ("positions", "positions"), "closed": ("positions/closed", "closedPositions"),
    "history": (HISTORY, "tradingHistory"), "week": ("orders/start-date/2026-01-15", "orders"),
    "cash": ("cash-transactions/start-date/2026-01-15", "cashHistory"), "orders": ("orders", "orders"),
    "locates": ("locates/history", "locateHistory"), "inventory": ("locates/inventory", "locateInventory")}
OWN = ("call", "terminal", "leg0", "first", "legCount")
OK, EINVAL, ENOENT, EUNKNOWN = 0, 1, 10, 13


class Client(Programs, Endpoints):
    def told(self, code=0, **env):
        """Run the client. Returns (rows by call, ends by call)."""
        kept = self.environment(**env)
        kept["ORDERGATE_BASE_URL"] = self.p.url
        run = subprocess.run([os.environ["OG_CLIENT"]], capture_output=True, text=True, env=kept, timeout=600)
        self.assertEqual(run.returncode, code, run.stderr)
        self.assertNotIn(LIVE[1], run.stdout + run.stderr)
        rows, ends = {}, {}
        for line in run.stdout.splitlines():
            said = json.loads(line, parse_float=decimal.Decimal)
            if "kind" in said:
                ends.setdefault(said["call"], []).append(said)
            else:
                rows.setdefault(said["call"], []).append(said)
        self.words = run.stderr
        return rows, ends

    def same(self, said, row):
        for key, value in said.items():
            if key not in OWN:
                wrote = row[key]
                self.assertEqual(value, str(wrote) if isinstance(value, str) and wrote is not None else wrote,
                                 (key, row))

    def test_every_call(self):
        self.busy()
        self.p.advance("40s")
        documents = {c: exact(self.p.get(f"accounts/LIVE0001/{path}", LIVE))[key] for c, (path, key) in PLACES.items()}
        documents["accounts"] = exact(self.p.get("accounts", LIVE))["accounts"]
        documents["account"] = [exact(self.p.get("account/LIVE0001", LIVE))]
        documents["order"] = [exact(self.p.lookup("a", "LIVE0001"))]
        rows, ends = self.told(ORDERGATE_ENVIRONMENT="live")
        for call, wrote in documents.items():
            with self.subTest(call=call):
                self.assertEqual(ends[call][0]["status"], OK)
                said = rows.get(call, [])[:len(wrote)]
                self.assertEqual(len(said), len(wrote))
                for one, other in zip(said, wrote):
                    self.same(one, other)
        self.assertGreater(min(len(documents[c]) for c in ("pnl", "positions", "closed", "history", "orders",
                                                           "locates")), 0)
        self.assertGreater(int(rows["closed"][0]["positionId"]), 2 ** 53)

    def test_an_order_of_several_legs(self):
        """The look-up has the WebSocket shape, and the client gives it under the same names."""
        self.busy()
        rows, _ = self.told()
        spread = rows["order"][1]
        self.assertEqual((spread["clientOrderId"], spread["accountId"], spread["securityType"], spread["legCount"]),
                         ("m", "LIVE0001", "MLEG", 2))
        self.assertRegex(spread["leg0"], r"^MSFT\d{6}C\d{8}$")

    def test_ends(self):
        self.rest("a")
        _, ends = self.told(ORDERGATE_ENVIRONMENT="live")
        seen = {c: [(e["status"], e["kind"], e["http"]) for e in ends[c]] for c in ends}
        self.assertEqual(seen["order"], [(OK, "ok", 200), (ENOENT, "not-found", 404), (ENOENT, "not-found", 404)])
        self.assertEqual(seen["cancel"], [(ENOENT, "not-found", 404)])
        for call in ("place", "cancel-all", "locate-quote", "locate-accept", "locate-sell", "locate-cancel", "borrow",
                     "routes"):
            self.assertEqual(seen[call], [(OK, "ok", 200)], call)
        self.assertEqual(seen["place-without-id"], [(EINVAL, "none", 0)])
        self.assertEqual(seen["too-few"], [(EINVAL, "none", 0)])
        self.assertIn("quantity is 99", self.words)
        self.assertEqual(self.status("c1"), "PendingNew")

    def test_live_must_be_said(self):
        _, ends = self.told()
        self.assertEqual(ends["place"][0]["status"], EINVAL)
        self.assertIn("environment: live", self.words)
        self.assertEqual(self.p.lookup("c1", "LIVE0001").status, 404)

    def test_an_order_is_posted_once(self):
        self.fault("POST order", "drop-reply")
        _, ends = self.told(ORDERGATE_ENVIRONMENT="live")
        self.assertEqual((ends["place"][0]["status"], ends["place"][0]["kind"]), (EUNKNOWN, "lost"))
        self.assertEqual(len(self.requests("POST", "/order")), 1)
        self.assertEqual(self.p.lookup("c1", "LIVE0001").json["orderStatus"], "PendingNew")

    def test_an_answer_that_is_not_the_document(self):
        self.fault("GET positions", "truncate", count=9)
        _, ends = self.told()
        self.assertEqual(ends["positions"][0]["kind"], "lost")


if __name__ == "__main__":
    main()
