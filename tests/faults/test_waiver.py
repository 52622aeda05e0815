"""ordergate waive: one order passes one rule once, on record, in a running sender. Also what a waiver never does."""
import json
import os
import sqlite3
import subprocess
import unittest

from paper import LIVE, Paper
from parallel_unittest import main
from sender import RUNNING, Sender, TempHome, posts, resting, send
from test_halt import halt

POLICY = ("ordergate: 1\nname: p\nrules:\n  order-quantity-limit: {level: refuse, shares: 20}\n"
          "  order-notional: {level: refuse, most: 100000}\n")


def tool(home, *args, name="waive"):
    return subprocess.run([os.path.join(os.environ["OG_BIN"], "ordergate-" + name), "--ledger", home.ledger, *args],
                          capture_output=True, text=True, timeout=600, env={**os.environ, "HOME": home.path})


def lines(done):
    return [json.loads(line) for line in done.stdout.splitlines()]


def waive(home, order_id, rule="order-quantity-limit", *more):
    return tool(home, "--order", order_id, "--rule", rule, "--reason", "agreed with risk", "--by", "ann", *more)


def big(order_id, **changes):
    return resting(order_id, **{"orderQuantity": 50, "limitPrice": 100, **changes})


class Waiver(unittest.TestCase):
    def setUp(self):
        self.paper = self.enterContext(Paper(clock=RUNNING))
        self.home = self.enterContext(TempHome())
        self.policy = self.home.file("p.yaml", POLICY)

    def gate(self, *args):
        return Sender(self.paper.url, self.home, "-p", self.policy, *args)

    def outcome(self, gate, line, count=1):
        """Returns the outcome of the order that is given now. `count` is how many outcomes its id then has."""
        gate.feed(line)
        gate.wait_until(lambda: len(gate.events_of("outcome", line["clientOrderId"])) == count, "an outcome")
        return gate.events_of("outcome", line["clientOrderId"])[-1]["outcome"]

    def verify(self):
        done = tool(self.home, "verify", name="ledger")
        self.assertEqual((done.returncode, lines(done)[-1]["faults"]), (0, 0), done.stdout)

    def test_a_sender_that_runs(self):
        home = self.home
        with self.gate() as gate:
            self.assertEqual(self.outcome(gate, big("a")), "refused")
            done = waive(home, "a")
            self.assertEqual(done.returncode, 0, done.stderr)
            given = lines(done)[0]
            self.assertEqual([given[k] for k in ("accountId", "clientOrderId", "rule", "by", "reason", "state")],
                             ["PAPER0001", "a", "order-quantity-limit", "ann", "agreed with risk", "live"])
            self.assertEqual(lines(tool(home, "--list")), [given])
            self.assertEqual(self.outcome(gate, big("b")), "refused")
            self.assertEqual(self.outcome(gate, big("a"), 2), "working")
            found = [f for f in gate.events_of("decision", "a")[1]["findings"] if f["rule"] == "order-quantity-limit"]
            self.assertEqual([f["level"] for f in found], ["warn"])
            self.assertEqual({k: found[0]["waived"][k] for k in ("by", "reason")},
                             {"by": "ann", "reason": "agreed with risk"})
            self.assertIn("waived by ann until", found[0]["message"])
            self.assertEqual(lines(tool(home, "--list")), [])
            self.assertEqual([w["state"] for w in lines(tool(home, "--list", "--all"))], ["used"])
            self.assertEqual(self.outcome(gate, big("a"), 3), "refused")  # a second time in one run
            self.assertEqual(waive(home, "a").returncode, 1)
            self.assertEqual(gate.finish(4), 1)
        self.assertEqual(len(posts(self.paper)), 1)
        story = lines(tool(home, "show", "a", name="ledger"))
        self.assertEqual([r["record"] for r in story][:4], ["decision", "waive", "decision", "intent"])
        self.assertEqual(story[1]["detail"]["rule"], "order-quantity-limit")
        self.assertEqual(story[1]["run"][:6], "waive-")
        self.assertIn("waived", json.dumps(story[2]["detail"]["findings"]))
        listed = {r["clientOrderId"]: r["record"] for r in lines(tool(home, "list", name="ledger"))}
        self.assertEqual((listed["a"], listed["b"]), ("outcome", "decision"))
        self.verify()
        code, again = send(self.paper.url, home, [big("a")], "-p", self.policy)  # a later run resumes it
        self.assertEqual((code, again.outcomes(), len(posts(self.paper))), (0, {"a": "working"}, 1))

    def digest(self, order_id):
        return lines(tool(self.home, "show", order_id, name="ledger"))[-1]["detail"]["digest"]

    def test_given_before_the_order(self):
        """The waiver is given by the order's digest, because an id alone does not say which order is meant."""
        home = self.home
        self.assertEqual(waive(home, "a").returncode, 4)  # no ledger is created by `waive` if no sender uses it
        send(self.paper.url, home, [resting("first")], "-p", self.policy)
        done = waive(home, "a")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("no refused order 'a' of account 'PAPER0001' is on record", done.stderr)
        self.assertEqual(waive(home, "a", "order-quantity-limit", "--digest", "sha256:abc").returncode, 2)
        with TempHome() as elsewhere:
            send(self.paper.url, elsewhere, [big("a")], "-p", self.policy)
            digest = [r for r in elsewhere.rows("record = 'decision'")][0]["detail"]
        digest = json.loads(digest)["digest"]
        done = waive(home, "a", "order-quantity-limit", "--digest", digest)
        self.assertEqual((done.returncode, lines(done)[0]["digest"], lines(done)[0]["order"]), (0, digest, None))
        code, gate = send(self.paper.url, home, [big("a")], "-p", self.policy, "--dry-run")
        self.assertEqual(gate.events_of("decision", "a")[0]["verdict"], "accept")
        self.assertEqual([w["state"] for w in lines(tool(home, "--list"))], ["live"])  # a dry run uses nothing up
        code, gate = send(self.paper.url, home, [big("a", limitPrice=150, orderQuantity=900)], "-p", self.policy)
        self.assertEqual(gate.outcomes(), {"a": "refused"})  # another order
        code, gate = send(self.paper.url, home, [big("a")], "-p", self.policy)
        self.assertEqual((code, gate.outcomes()), (0, {"a": "working"}))
        self.verify()

    def test_an_order_that_replaces(self):
        home = self.home
        with self.gate() as gate:
            self.assertEqual(self.outcome(gate, resting("old")), "working")
            self.assertEqual(self.outcome(gate, big("new", replaces="old")), "refused")
            self.assertEqual(waive(home, "new").returncode, 0)
            self.assertEqual(self.outcome(gate, big("new", replaces="old"), 2), "working")
            self.assertEqual(gate.finish(3), 1)
        self.assertEqual([json.loads(r["body"])["clientOrderId"] for r in posts(self.paper)], ["old", "new"])

    def test_what_it_replaces_is_part_of_the_order(self):
        """A waiver of an order that replaces another one does not apply to the same order without the replacement, nor
        the other way round."""
        home = self.home
        with self.gate() as gate:
            self.assertEqual(self.outcome(gate, resting("old")), "working")
            self.assertEqual(self.outcome(gate, resting("older", limitPrice=99)), "working")
            self.assertEqual(self.outcome(gate, big("new", replaces="old")), "refused")
            [given] = lines(waive(home, "new"))
            self.assertEqual(given["order"], big("new", replaces="old"))
            self.assertEqual(self.outcome(gate, big("new"), 2), "refused")
            self.assertEqual(self.outcome(gate, big("new", replaces="older"), 3), "refused")
            self.assertIn("it was given for other terms under this id",
                          json.dumps(gate.events_of("decision", "new")[-1]["findings"]))
            self.assertEqual(self.outcome(gate, big("new", replaces="old"), 4), "working")
            self.assertEqual(self.outcome(gate, big("plain")), "refused")
            [given] = lines(waive(home, "plain"))
            self.assertEqual(given["order"], big("plain"))
            self.assertEqual(self.outcome(gate, big("plain", replaces="older"), 2), "refused")
            self.assertEqual(self.outcome(gate, big("plain"), 3), "working")
            self.assertEqual(gate.finish(9), 1)
        self.assertEqual([json.loads(r["body"])["clientOrderId"] for r in posts(self.paper)],
                         ["old", "older", "new", "plain"])
        self.verify()

    def test_of_an_older_ledger(self):
        """An older ledger does not record which order an order replaces: its waiver applies only to an order that
        replaces none."""
        home = self.home
        send(self.paper.url, home, [resting("old"), big("new")], "-p", self.policy)
        older = self.digest("new")  # the digest of the body alone, though the order replaces another
        self.assertEqual(waive(home, "new", "order-quantity-limit", "--digest", older).returncode, 0)
        code, gate = send(self.paper.url, home, [big("new", replaces="old")], "-p", self.policy)
        self.assertEqual(gate.outcomes(), {"new": "refused"})
        code, gate = send(self.paper.url, home, [big("new")], "-p", self.policy)
        self.assertEqual(gate.outcomes(), {"new": "working"})
        self.verify()

    def test_taken_back_and_over(self):
        home = self.home
        with self.gate() as gate:
            self.assertEqual(self.outcome(gate, big("a")), "refused")
            self.assertEqual(waive(home, "a").returncode, 0)
            self.assertEqual(waive(home, "a", "order-notional").returncode, 0)
            done = tool(home, "--revoke", "--order", "a", "--rule", "order-quantity-limit", "--reason", "not so big")
            self.assertEqual((done.returncode, [w["state"] for w in lines(done)]), (0, ["revoked"]), done.stderr)
            self.assertEqual([w["rule"] for w in lines(tool(home, "--list"))], ["order-notional"])
            self.assertEqual(self.outcome(gate, big("a"), 2), "refused")
            self.assertEqual(len(lines(tool(home, "--revoke", "--order", "a"))), 1)
            self.assertEqual(tool(home, "--revoke", "--order", "a").returncode, 1)
            self.assertEqual(waive(home, "a", "order-quantity-limit", "--for", "1s").returncode, 0)
            while lines(tool(home, "--list")):
                pass
            self.assertEqual(self.outcome(gate, big("a"), 3), "refused")
            self.assertEqual({w["rule"]: w["state"] for w in lines(tool(home, "--list", "--all"))},
                             {"order-quantity-limit": "expired", "order-notional": "revoked"})
            self.assertEqual(waive(home, "a").returncode, 0)  # given anew
            self.assertEqual(self.outcome(gate, big("a"), 4), "working")
            self.assertEqual(gate.finish(4), 1)
        self.verify()

    def test_a_halt_is_obeyed(self):
        home = self.home
        send(self.paper.url, home, [big("a")], "-p", self.policy)
        self.assertEqual(waive(home, "a").returncode, 0)
        self.assertIn(halt(home).returncode, (0, 1))  # 1 too, because the senders of other tests do not read this flag
        code, gate = send(self.paper.url, home, [big("a")], "-p", self.policy)
        self.assertEqual((code, gate.outcomes()), (1, {"a": "refused"}))
        self.assertEqual([w["state"] for w in lines(tool(home, "--list"))], ["live"])

    def test_words(self):
        home = self.home
        send(self.paper.url, home, [big("a")], "-p", self.policy)
        for rule in ("order-form", "request-fields", "client-order-id", "trading"):
            done = waive(home, "a", rule)
            self.assertEqual((done.returncode, done.stdout), (2, ""), rule)
            self.assertIn("cannot be waived", done.stderr)
        done = waive(home, "a", "order-notionl")
        self.assertEqual(done.returncode, 2)
        self.assertIn("did you mean 'order-notional'", done.stderr)
        for more in (["--for", "25h"], ["--for", "soon"], ["--by", ""], ["--by", "x" * 65], ["--reason", " "],
                     ["--reason", "two\nlines"], ["--list"], ["--all"], ["order"]):
            self.assertEqual(waive(home, "a", "order-notional", *more).returncode, 2, more)
        for args in ([], ["--order", "a"], ["--order", "a", "--rule", "order-notional"], ["--nothing"]):
            self.assertEqual(tool(home, *args).returncode, 2, args)
        self.assertEqual(lines(tool(home, "--list", "--all")), [])
        self.assertEqual(tool(home, "--help").returncode, 0)
        with open("/dev/full", "w") as full:
            self.assertEqual(subprocess.run([os.path.join(os.environ["OG_BIN"], "ordergate-waive"), "--help"],
                                            stdout=full, stderr=subprocess.DEVNULL).returncode, 4)

    def test_a_rule_of_the_policy(self):
        home = self.home
        self.policy = home.file("own.yaml", "ordergate: 1\nname: own\ncustom:\n  - id: no-big-buys\n    require: "
                                            "order.orderQuantity <= 20\n"
                                            "    level: refuse\n  - id: nor-these\n    require: order.orderQuantity <= "
                                            "20\n    level: refuse\n    lock: true\n")
        code, gate = send(self.paper.url, home, [big("a"), big("b")], "-p", self.policy)
        self.assertEqual([f["rule"] for f in gate.event("decision", "a")["findings"] if f["level"] == "refuse"],
                         ["no-big-buys", "nor-these"])
        self.assertEqual(waive(home, "a", "no-big-bys").returncode, 2)
        self.assertEqual(waive(home, "a", "no-big-buys").returncode, 0)
        self.assertEqual(waive(home, "a", "nor-these").returncode, 0)  # only the sender knows what the policy locks
        code, gate = send(self.paper.url, home, [big("a")], "-p", self.policy)
        self.assertEqual({f["rule"]: f["level"] for f in gate.event("decision", "a")["findings"]
                          if f["rule"] in ("no-big-buys", "nor-these")},
                         {"no-big-buys": "warn", "nor-these": "refuse"})
        self.assertIn("no waiver counts, the rule is locked", json.dumps(gate.event("decision", "a")["findings"]))
        counts, locked = lines(tool(home, "--list"))
        self.assertNotIn("warning", counts)
        self.assertEqual((locked["rule"], locked["state"]), ("nor-these", "live"))
        self.assertIn("refused the order all the same: ", locked["warning"])
        self.assertIn("no waiver counts, the rule is locked", locked["warning"])
        self.assertEqual(waive(home, "new", "no-big-buys").returncode, 2)  # no decision about that order names it
        done = waive(home, "new", "no-big-buys", "-p", self.policy, "--digest", self.digest("a"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_what_the_policy_locks(self):
        home = self.home
        send(self.paper.url, home, [big("a")], "-p", self.policy)
        locks = home.file("locks.yaml",
                          "ordergate: 1\nname: desk\nrules:\n  order-notional: {level: refuse, most: 100, lock: true}\n"
                          "custom:\n  - {id: mine, require: order.orderQuantity <= 20, lock: true}\n")
        for rule in ("order-notional", "mine"):
            done = waive(home, "a", rule, "--policy", locks)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(f"policy 'desk' locks rule '{rule}': no waiver of it counts", done.stderr)
        self.assertEqual(lines(tool(home, "--list", "--all")), [])
        self.assertEqual(waive(home, "a", "order-quantity-limit", "-p", locks).returncode, 0)
        self.assertEqual(waive(home, "a", "order-quantity-limit", "-p", self.policy, "-p",
                               home.path + "/none.yaml").returncode, 3)
        bad = home.file("bad.yaml", "ordergate: 1\nname: bad\nrules: {order-notionl: off}\n")
        done = waive(home, "a", "order-notional", "-p", bad)
        self.assertEqual(done.returncode, 3)
        self.assertIn("bad.yaml:3:", done.stderr)
        self.assertEqual(tool(home, "--list", "-p", bad).returncode, 2)

    def test_which_account(self):
        home = self.home
        send(self.paper.url, home, [big("a")], "-p", self.policy)
        self.assertEqual(waive(home, "a", "order-notional", "--account", "paper0001").returncode, 0)
        self.assertEqual(waive(home, "a", "order-quantity-limit", "--account", "OTHER").returncode, 2)
        done = waive(home, "a", "order-quantity-limit", "--account", "OTHER", "--digest", self.digest("a"))
        self.assertEqual(done.returncode, 0)
        self.assertIn("warning: nothing was sent for account 'OTHER' yet; known accounts: PAPER0001", done.stderr)
        listed = lines(tool(home, "--list"))
        self.assertEqual([w["accountId"] for w in listed], ["PAPER0001", "OTHER"])
        self.assertEqual(["warning" in w for w in listed], [False, True])
        code, gate = send(self.paper.url, home, [big("a")], "-p", self.policy)
        self.assertEqual(gate.outcomes(), {"a": "refused"})  # another account's waiver
        self.assertEqual(lines(waive(home, "y", "order-quantity-limit", "--digest", self.digest("a")))[0]["accountId"],
                         "PAPER0001")  # a wrong account is not added to the ledger
        self.assertEqual(lines(tool(home, "facts", name="ledger"))[0]["accountId"], "PAPER0001")
        code, gate = send(self.paper.url, home, [resting("l", route="SMART")], "-p", self.policy, keys=LIVE,
                          env={"ORDERGATE_ENVIRONMENT": "live"})
        self.assertEqual(gate.outcomes(), {"l": "working"})
        done = waive(home, "z")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--account", done.stderr)

    def test_it_is_for_the_order_as_it_stands(self):
        """A waiver for one order lets no other order with its id pass, if the symbol, side, size, price or spread
        differs."""
        home = self.home
        with self.gate() as gate:
            self.assertEqual(self.outcome(gate, big("a")), "refused")
            shown = lines(tool(home, "show", "a", name="ledger"))[0]["detail"]
            self.assertEqual(shown["order"], big("a"))
            given = lines(waive(home, "a"))[0]
            self.assertEqual((given["digest"], given["order"]), (shown["digest"], shown["order"]))
            others = [big("a", symbol="TSLA"), big("a", side="Sell"), big("a", orderQuantity=51),
                      big("a", limitPrice=101), big("a", orderType="Market"), big("a", timeInForce="GoodTillCancel"),
                      big("a", openClose="Close")]
            for i, other in enumerate(others):
                self.assertEqual(self.outcome(gate, other, 2 + i), "refused")
                found = [f for f in gate.events_of("decision", "a")[-1]["findings"]
                         if f["rule"] == "order-quantity-limit"]
                self.assertEqual([(f["level"], "waived" in f) for f in found if f["level"] == "warn"], [], other)
            self.assertEqual(self.outcome(gate, big("a", legs=[]), 2 + len(others)), "working")  # posted as it was
            self.assertEqual(gate.finish(2 + len(others)), 1)
        self.assertEqual(len(posts(self.paper)), 1)
        self.verify()

    def test_the_newest_refused_body(self):
        """The person who gives a waiver sees the order that it applies to; if the producer changed the order
        meanwhile, it does not pass."""
        home = self.home
        with self.gate() as gate:
            self.assertEqual(self.outcome(gate, big("a")), "refused")
            self.assertEqual(self.outcome(gate, big("a", orderQuantity=60), 2), "refused")
            self.assertEqual(lines(waive(home, "a"))[0]["order"]["orderQuantity"], 60)
            self.assertEqual(self.outcome(gate, big("a"), 3), "refused")
            self.assertEqual(self.outcome(gate, big("a", orderQuantity=60), 4), "working")
            self.assertEqual(self.outcome(gate, big("a", orderQuantity=60), 5), "refused")  # used once
            self.assertEqual(gate.finish(5), 1)
        self.verify()

    def test_the_ledger_shows_a_waiver_of_another_body(self):
        """A ledger record that says that a waiver let this order pass is reported if the waiver was given for another
        order."""
        home = self.home
        send(self.paper.url, home, [big("a")], "-p", self.policy)
        waive(home, "a")
        send(self.paper.url, home, [big("a")], "-p", self.policy)
        db = sqlite3.connect(home.ledger)
        db.execute("DROP TRIGGER rows_stay")
        db.execute("UPDATE rows SET detail = replace(detail, 'sha256:', 'sha256:0') WHERE record = 'waive'")
        db.commit()
        db.close()
        self.assertIn("by a waiver that is not recorded", tool(home, "verify", name="ledger").stdout)

    def test_a_waiver_that_was_taken_out_shows(self):
        home = self.home
        send(self.paper.url, home, [big("a")], "-p", self.policy)
        waive(home, "a")
        send(self.paper.url, home, [big("a")], "-p", self.policy)
        self.verify()
        db = sqlite3.connect(home.ledger)
        db.execute("DROP TRIGGER rows_keep")
        db.execute("DELETE FROM rows WHERE record = 'waive'")
        db.commit()
        db.close()
        done = tool(home, "verify", name="ledger")
        self.assertEqual(done.returncode, 1)
        self.assertIn("waiver", [f.get("fault") for f in lines(done)])
        self.assertIn("order 'a' went through rule 'order-quantity-limit' by a waiver that is not recorded",
                      done.stdout)


if __name__ == "__main__":
    main()
