#!/usr/bin/env python3
"""One stock under several names: spellings of a listed symbol that no exchange has (GME.US, GME., GME_US).  Facts under
such a name are facts about the stock."""
import json
import unittest

from policy_case import NOON, PolicyCase, order

# spellings of GME that are no symbol of any exchange: a country, or a mark where no ticker has one
FOREIGN = ["GME.US", "GME-US", "GME_US", "GME.", ".GME", "GME-", "-GME", "GME_", "_GME", "GME..", "..GME", "GME..US",
           ".GME.US", "GME.US.", "GME_.US"]
# ... and of a share with a class
OF_CLASS = ["BRK.B.US", "BRK-B.US", "BRK_B_US", "BRK..B", "BRK-.B", "BRK.B.", ".BRK.B"]
MEANT = {**{s: "GME" for s in FOREIGN}, **{s: "BRK.B" for s in OF_CLASS}}

EARLY = "2026-01-15T16:00:00Z"
FACTS = {
    "quotes": {"bid": 9.9, "ask": 10, "last": 10, "asOf": NOON},
    "symbolStatus": {"halted": True, "asOf": NOON},
    "borrow": {"easy": True, "asOf": NOON},
    "averageVolume": 50,
}


def told(decision):
    """Returns what a decision says, without the times it took."""
    return [(f["rule"], f["reason"], f["level"]) for f in decision["findings"]]


class Facts(PolicyCase):
    def setUp(self):
        super().setUp()
        self.live = self.policy("environment: live\nrules:\n"
                                "  volume-share: {level: refuse, most: 5%}\n", extends="[live]")

    def found(self, symbol, facts, **more):
        keys = {"side": "Sell", "limitPrice": 9, "orderQuantity": 100, **more}
        return told(self.decide(self.live, order(symbol=symbol, **keys), facts=facts)[0])

    def test_every_spelling_of_every_fact(self):
        for name, meant in MEANT.items():
            for key, value in FACTS.items():
                with self.subTest(key=key, name=name):
                    want = self.found(meant, {key: {meant: value}})
                    self.assertNotEqual(want, self.found(meant, {}))
                    self.assertEqual(self.found(meant, {key: {name: value}}), want)
                    self.assertEqual(self.found(meant, {key: {name.lower(): value}}), want)

    def test_every_spelling_in_a_line(self):
        def lines(name):
            line = {"op": "quote", "symbol": name, **FACTS["quotes"], "status": FACTS["symbolStatus"]}
            text = json.dumps(line) + "\n" + order(symbol=MEANT.get(name, name), limitPrice=50)
            done = self.gate("check", "--at", NOON, "-p", self.live, input=text.encode())
            self.assertEqual(done.stderr, b"")
            return told(json.loads(done.stdout))
        for name, meant in MEANT.items():
            with self.subTest(name):
                self.assertEqual(lines(name), lines(meant))
                self.assertIn(("symbol-status", "symbol-halted", "refuse"), lines(name))

    def test_a_quote_does_not_make_a_name_of_the_broker(self):
        """A feed that writes GME.US is no sign that the broker does: the order was taken, past every limit on GME."""
        for name, meant in MEANT.items():
            with self.subTest(name):
                for facts in ({}, {"quotes": {name: FACTS["quotes"]}},
                              {"quotes": {name: FACTS["quotes"], "AAPL": FACTS["quotes"]}}):
                    self.assertIn(("symbol-form", "symbol-other-spelling", "refuse"), self.found(name, facts))
                    self.assertNotIn(("symbol-form", "symbol-other-spelling", "refuse"), self.found(meant, facts))

    def test_an_order_so_spelt_has_the_facts_of_the_stock(self):
        for name, meant in MEANT.items():
            with self.subTest(name):
                for written in (name, meant):
                    found = self.found(name, {"symbolStatus": {written: FACTS["symbolStatus"]},
                                              "quotes": {written: FACTS["quotes"]}}, limitPrice=1, side="Buy",
                                       orderType="StopLimit", stopPrice=500)
                    self.assertIn(("symbol-status", "symbol-halted", "refuse"), found)
                    self.assertIn("stop-away-from-market", [reason for _, reason, _ in found])

    def test_two_spellings_in_one_document(self):
        """The stricter of two states of the same time holds, in either order; a quote of the symbol itself stays."""
        easy, hard = {"easy": True, "asOf": NOON}, {"easy": False, "asOf": NOON}
        for name, meant in MEANT.items():
            with self.subTest(name):
                want = self.found(meant, {"borrow": {meant: hard}})
                self.assertNotEqual(self.found(meant, {"borrow": {meant: easy}}), want)
                for states in ({meant: easy, name: hard}, {name: hard, meant: easy}, {meant: hard, name: easy},
                               {name: easy, meant: hard}):
                    self.assertEqual(self.found(meant, {"borrow": states}), want, states)
                states = {meant: dict(easy, asOf=EARLY), name: hard}
                self.assertEqual(self.found(meant, {"borrow": states}), want)
                want = self.found(meant, {"averageVolume": {meant: 50}})
                for states in ({meant: 50, name: 10 ** 9}, {name: 10 ** 9, meant: 50}):
                    self.assertEqual(self.found(meant, {"averageVolume": states}), want)
                quote, far = FACTS["quotes"], dict(FACTS["quotes"], bid=99, ask=99.1, last=99)
                want = self.found(meant, {"quotes": {meant: quote}}, side="Buy", limitPrice=90)
                for states in ({meant: quote, name: far}, {name: far, meant: quote},
                               {meant: quote, name: dict(far, asOf=EARLY)},
                               {meant: dict(far, asOf=EARLY), name: quote}):
                    self.assertEqual(self.found(meant, {"quotes": states}, side="Buy", limitPrice=90), want, states)


if __name__ == "__main__":
    unittest.main()
