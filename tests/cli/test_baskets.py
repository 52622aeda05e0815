"""ordergate check: baskets are decided all or none; each order has its decision, and a refused basket leaves nothing.

OG_BIN names the folder of the programs (CTest sets it).
"""
import json
import os
import subprocess
import tempfile
import unittest

GATE = os.path.join(os.environ["OG_BIN"], "ordergate")
POLICY = """ordergate: 1
name: t
extends: []
unsure: warn
rules:
  client-order-id: refuse
  order-notional: {level: refuse, most: 1000}
  order-rate: {level: refuse, a_day: 3}
  position-limit: {level: refuse, shares: 100}
"""
FACTS = {"asOf": "2026-01-15T15:00:00Z", "accountId": "L1", "positions": [], "orders": [], "usedClientOrderIds": []}


def order(id_, symbol="F", quantity=10, **more):
    return {"securityType": "Stock", "symbol": symbol, "side": "Buy", "openClose": "Open", "orderType": "Limit",
            "orderQuantity": quantity, "timeInForce": "Day", "limitPrice": 10, "clientOrderId": id_, **more}


def basket(*orders):
    return {"op": "basket", "orders": list(orders)}


class Baskets(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.TemporaryDirectory()
        self.addCleanup(self.dir.cleanup)

    def check(self, lines, *args, policy=POLICY):
        for name, content in (("p.yaml", policy), ("facts.json", json.dumps(FACTS))):
            with open(os.path.join(self.dir.name, name), "w") as f:
                f.write(content)
        text = "".join((x if isinstance(x, str) else json.dumps(x)) + "\n" for x in lines)
        p = subprocess.run([GATE, "check", "-p", os.path.join(self.dir.name, "p.yaml"), "-f",
                            os.path.join(self.dir.name, "facts.json"), "--at", "2026-01-15T15:00:00Z", *args],
                           input=text, text=True, capture_output=True, timeout=600)
        return p, [json.loads(x) for x in p.stdout.splitlines()]

    def told(self, decisions):
        return [(d["line"], d.get("basket", {}).get("index"), d["clientOrderId"], d["verdict"],
                 [f["reason"] for f in d["findings"]]) for d in decisions]

    def test_each_order_of_an_accepted_basket_has_its_decision(self):
        p, out = self.check([basket(order("a"), order("b", "KO"))])
        self.assertEqual(self.told(out), [(1, 0, "a", "accept", []), (1, 1, "b", "accept", [])])
        self.assertEqual([d["basket"]["orders"] for d in out], [2, 2])
        self.assertEqual(p.returncode, 0)

    def test_one_refusal_refuses_all_and_leaves_nothing(self):
        p, out = self.check([basket(order("a"), order("b", quantity=101), order("c", "KO")),
                             order("a"), order("c"), order("d")])
        self.assertEqual(self.told(out), [
            (1, 0, "a", "refuse", ["basket-refused"]),
            (1, 1, "b", "refuse", ["notional-above-limit", "position-above-limit"]),
            (1, 2, "c", "refuse", ["basket-refused"]),
            (2, None, "a", "accept", []), (3, None, "c", "accept", []), (4, None, "d", "accept", [])])
        self.assertEqual(out[0]["findings"][0]["message"],
                         "order 1 of its basket is refused (notional-above-limit), so none of the basket is accepted")
        self.assertEqual(p.returncode, 1)

    def test_orders_count_for_those_behind_them(self):
        _, out = self.check([basket(order("a", quantity=60), order("b", quantity=41))])
        self.assertEqual(self.told(out)[1][4], ["position-above-limit"])
        _, out = self.check([basket(order("a", quantity=60), order("b", quantity=40)), order("c", quantity=1)])
        self.assertEqual([d["verdict"] for d in out], ["accept", "accept", "refuse"])

    def test_rates_count_each_order(self):
        _, out = self.check([basket(*(order(f"a{n}") for n in range(4)))])
        self.assertEqual({d["verdict"] for d in out}, {"refuse"})
        _, out = self.check([basket(*(order(f"a{n}") for n in range(3)))])
        self.assertEqual({d["verdict"] for d in out}, {"accept"})

    def test_what_no_basket_may_have(self):
        bad = [basket(order("a"), order("a")), basket(order("a"), order("b", replaces="z")),
               basket(order("a"), order("b", accountId="L2"))]
        for line, pointer in zip(bad, ("/clientOrderId", "/replaces", "/accountId")):
            _, out = self.check([line])
            self.assertIn(("basket-order", pointer), [(f["reason"], f["field"]) for f in out[1]["findings"]])
            self.assertEqual([d["verdict"] for d in out], ["refuse", "refuse"])

    def test_what_is_no_basket_has_one_decision(self):
        for line in ('{"op":"basket"}', '{"op":"basket","orders":[]}', '{"op":"basket","orders":1}',
                     basket(*(order(f"a{n}") for n in range(65))), '{"op":"basket","orders":[{}],"x":1}'):
            p, out = self.check([line])
            self.assertEqual(self.told(out), [(1, None, None, "refuse", ["basket-malformed"])])
            self.assertEqual(p.returncode, 1)
        _, out = self.check(['{"op":"basket","orders":[7,{"op":"cancel"}]}'])
        self.assertEqual([d["findings"][0]["reason"] for d in out], ["body-not-object", "op-not-an-order"])

    def test_emitted(self):
        lines = [basket(order("a"), order("b", "KO")), basket(order("c"), order("d", quantity=200))]
        p, out = self.check(lines, "--emit", "lines", "--account", "L1")
        self.assertEqual([[o["accountId"] for o in b["orders"]] for b in out], [["L1", "L1"]])
        _, again = self.check([out[0]])
        self.assertEqual([d["verdict"] for d in again], ["accept", "accept"])
        self.assertEqual(p.stderr.count("which ordergate send refuses; --emit orders writes its orders one a line"), 1)
        self.assertIn("2 of 4 orders", p.stderr)
        for emit in ("orders", "bodies"):
            p, out = self.check(lines, "--emit", emit, "--rejects", os.path.join(self.dir.name, "rejects"))
            self.assertEqual([o["clientOrderId"] for o in out], ["a", "b"])
            with open(os.path.join(self.dir.name, "rejects")) as f:
                self.assertEqual([json.loads(x)["clientOrderId"] for x in f], ["c", "d"])

    def test_an_order_without_a_body_leaves_out_its_basket(self):
        lax = "ordergate: 1\nname: t\nextends: []\nunsure: warn\nrules: {order-quantity: off, size-limit: off}\n"
        for emit in ("lines", "orders", "bodies"):
            p, out = self.check([basket(order("a"), order("b", quantity=1e30))], "--emit", emit, policy=lax)
            self.assertEqual(out, [])
            self.assertIn("accepted, but left out", p.stderr)
            self.assertEqual(p.returncode, 1)

    def test_independent_and_filled(self):
        line = basket(order("a", quantity=60), order("b", quantity=40))
        _, out = self.check([line, line], "--independent")
        self.assertEqual([d["verdict"] for d in out], ["accept"] * 4)
        close = order("c", quantity=100, side="Sell", openClose="Close")
        p, out = self.check([line, close], "--assume", "filled",
                            policy=POLICY + "  close-position: refuse\n")
        self.assertEqual([d["verdict"] for d in out], ["accept"] * 3, p.stdout)


if __name__ == "__main__":
    unittest.main()
