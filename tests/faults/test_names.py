"""Similar names: news about another account, or about an order whose id looks like one of ours that was rewritten,
change nothing about our orders."""
import json
import unittest

from fault_proxy import FaultProxy, answer
from paper import Paper
from parallel_unittest import main
from sender import RUNNING, Sender, TempHome, posts, resting, send
from test_cancels import cancel, deletes, state
from test_halt import halt

REJECTED = {"orderStatus": "Rejected", "text": "R24: no", "executed": 0, "leavesQuantity": 0}
OTHER = "PAPER0002"


def row(order_id, **changes):
    return {"clientOrderId": order_id, "accountId": "PAPER0001", "symbol": "AAPL", "securityType": "Stock",
            "side": "Buy", "orderType": "Limit", "orderQuantity": 10, "limitPrice": 150, **changes}


class Names(unittest.TestCase):
    def test_an_id_that_the_service_would_make(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            code, gate = send(p.url, home, [resting("v1"), resting("v1INVALID"), resting("INVALID")])
            self.assertEqual((code, gate.outcomes()),
                             (1, {"v1": "working", "v1INVALID": "refused", "INVALID": "refused"}))
            self.assertEqual(len(posts(p)), 1)

    def test_an_order_of_somebody_else_that_looks_like_a_rewritten_one(self):
        """Somebody else's order, whose id looks like ours rewritten, is canceled: ours goes on working, and can be
        canceled by its own id."""
        with Paper(clock=RUNNING) as p, TempHome() as home, Sender(p.url, home, "--until", "final") as gate:
            gate.feed(resting("v1"))
            gate.event("update", "v1", orderStatus="New")
            for other in ("v1INVALID", "v1INVALID7"):
                p.order(resting(other, limitPrice=151))
                gate.event("external", other, orderStatus="New")
                p.cancel(other)
                gate.event("external", other, orderStatus="Canceled")
            self.assertEqual(state(p, "v1"), "New")
            self.assertEqual([r for r in home.rows("id = 'v1'") if r["state"] == "canceled" or r["broker_id"]], [])
            gate.feed(cancel("v1"))
            self.assertEqual(gate.event("outcome", line=2)["outcome"], "canceled")
            self.assertEqual(gate.finish(2), 0)
            self.assertEqual(len(deletes(p, "v1")), 1)

    def test_one_that_is_rejected(self):
        """Our order was seen under its own id, so a Rejected row under another id is not about it."""
        with Paper(clock=RUNNING) as p, FaultProxy(p) as b, TempHome() as home, Sender(b.url, home, "--until",
                                                                                       "final") as gate:
            gate.feed(resting("v1"))
            gate.event("update", "v1", orderStatus="New")
            b.send_frame({"userOrderId": "PAPER0001:v1INVALID", **REJECTED})
            gate.feed(cancel("v1"))
            self.assertEqual(gate.event("outcome", line=2)["outcome"], "canceled")
            self.assertEqual(gate.event("outcome", line=1)["outcome"], "canceled")
            gate.finish(2)

    def test_a_restart(self):
        """An answer was lost. The list has our order, and an order of somebody else whose id looks like ours
        rewritten."""
        with Paper(clock=RUNNING) as p, TempHome() as home:
            p.control("POST", "faults", {"on": "POST order", "do": "hang"})
            with Sender(p.url, home) as gate:
                gate.feed(resting("v1"))
                while not posts(p):
                    pass
                gate.kill()
                gate.process.wait()
            p.order(resting("v1INVALID", limitPrice=151))
            p.cancel("v1INVALID")
            code, gate = send(p.url, home, None, "--recover", orders=0)
            self.assertEqual(home.newest_row("v1")["state"], "working")
            self.assertIsNone(home.newest_row("v1")["broker_id"])
            code, gate = send(p.url, home, [resting("v1")])
            self.assertEqual((code, gate.outcomes(), len(posts(p, "v1"))), (0, {"v1": "working"}, 1))

    def test_cancel_own(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            send(p.url, home, [resting("v1")])
            p.order(resting("v1INVALID", limitPrice=151))
            send(p.url, home, None, "--recover", orders=0)
            done = halt(home, "--cancel-own", "--ledger", home.ledger, url=p.url)
            self.assertIn('"v1"', done.stdout)
            self.assertEqual([r["path"].rsplit("/", 1)[1] for r in deletes(p)], ["v1"], done.stderr)

    def frames_of_others(self, *frames):
        with Paper(clock=RUNNING) as p, FaultProxy(p) as b, TempHome() as home, Sender(b.url, home, "--until",
                                                                                       "final") as gate:
            gate.feed(resting("fo1"))
            gate.event("update", "fo1", orderStatus="New")
            told = len(gate.events_of("update"))
            for frame in frames:
                b.send_frame(frame)
            gate.feed(cancel("fo1"))
            self.assertEqual(gate.event("outcome", line=2)["outcome"], "canceled")
            self.assertEqual(gate.event("outcome", line=1)["outcome"], "canceled")
            gate.finish(2)
            self.assertEqual([e for e in gate.events_of("update")[told:] if e["orderStatus"] in ("Rejected", "Filled")],
                             [])
            self.assertEqual(gate.events_of("external"), [])
            self.assertEqual(home.rows("record = 'anomaly' OR state IN ('rejected', 'filled')"), [])

    def test_frames_of_another_account(self):
        self.frames_of_others({"userOrderId": OTHER + ":fo1", **REJECTED},
                              {"accountId": OTHER, "clientOrderId": "fo1", **REJECTED},
                              {"accountId": OTHER, "userOrderId": OTHER + ":fo1", **REJECTED})

    def test_frames_of_two_accounts(self):
        self.frames_of_others({"accountId": "PAPER0001", "userOrderId": OTHER + ":fo1", **REJECTED},
                              {"accountId": OTHER, "userOrderId": "PAPER0001:fo1", **REJECTED})

    def test_frames_of_another_account_about_unheard_orders(self):
        self.frames_of_others({"userOrderId": OTHER + ":new", "orderStatus": "New", "symbol": "AAPL"},
                              {"userOrderId": OTHER + ":fo1", "orderStatus": "Filled", "executed": 10,
                               "leavesQuantity": 0})

    def test_case_folds(self):
        """An account id that differs from ours only in case is our account."""
        with Paper(clock=RUNNING) as p, FaultProxy(p) as b, TempHome() as home, Sender(b.url, home, "--until",
                                                                                       "final") as gate:
            gate.feed(resting("fo1"))
            gate.event("update", "fo1", orderStatus="New")
            b.send_frame({"userOrderId": "paper0001:fo1", "orderStatus": "PartiallyFilled", "executed": 3})
            gate.event("update", "fo1", executed=3)
            gate.kill().finish()

    def answers_of_others(self, gets=None, behaviours=None):
        with Paper(clock=RUNNING) as p, FaultProxy(p, behaviours, streams=False, gets=gets) as b, TempHome() as home:
            with Sender(b.url, home, "--wait", "3s") as gate:
                gate.feed(resting("fo1"))
                gate.event("outcome", "fo1")
                gate.finish(1)
            self.assertEqual(home.rows("state IN ('rejected', 'filled')"), [])
            self.assertEqual(state(p, "fo1"), "New")
            return gate.outcomes()["fo1"]

    def test_a_look_up_that_answers_about_another_account(self):
        told = json.dumps(row("fo1", accountId=OTHER, **REJECTED)).encode()
        self.assertEqual(self.answers_of_others({"/order/fo1": answer(200, told, ["Content-Type: application/json"])}),
                         "working")

    def test_a_list_with_rows_of_another_account(self):
        rows = json.dumps({"orders": [row("fo1", accountId=OTHER, **REJECTED)]}).encode()
        with Paper(clock=RUNNING) as p, FaultProxy(p, streams=False) as b, TempHome() as home, Sender(b.url,
                                                                                                      home) as gate:
            gate.feed(resting("fo1"))
            gate.event("outcome", "fo1", outcome="working")
            b.gets["/orders"] = answer(200, rows, ["Content-Type: application/json"])
            gate.feed(cancel("nobody"))  # for which the list is read again
            b.wait_path("/orders", sum(path.endswith("/orders") for _, path in b.paths) + 1)
            gate.event("outcome", "nobody")
            del b.gets["/orders"]
            gate.feed(cancel("fo1"))
            self.assertEqual(gate.event("outcome", line=3)["outcome"], "canceled")
            gate.finish(3)
            self.assertEqual(home.rows("state = 'rejected'"), [])

    def test_a_reading_with_an_order_of_another_account(self):
        """The order is left out, and the account is known: ours is sent."""
        rows = json.dumps({"orders": [row("far", accountId=OTHER, orderStatus="New", openClose="Open",
                                          leavesQuantity=10)]}).encode()
        with Paper(clock=RUNNING) as p, FaultProxy(p, gets={
                "/orders": answer(200, rows, ["Content-Type: application/json"])}) as b, TempHome() as home:
            code, gate = send(b.url, home, [resting("fo1")])
            self.assertEqual((code, gate.outcomes()), (0, {"fo1": "working"}))

    def test_a_reading_with_a_position_of_another_account(self):
        """Such a reading is not used, and stderr says why."""
        rows = json.dumps({"positions": [{"accountId": OTHER, "symbol": "AAPL", "side": "Long", "shares": 1}]}).encode()
        with Paper(clock=RUNNING) as p, FaultProxy(p, gets={
                "/positions": answer(200, rows, ["Content-Type: application/json"])}) as b, TempHome() as home:
            code, gate = send(b.url, home, [resting("fo1")], "--wait", "3s")
            self.assertEqual((code, gate.outcomes(), posts(p)), (4, {"fo1": "not-sent"}, []))
            self.assertIn('positions.positions[0].accountId: expected "PAPER0001"', gate.stderr)

    def test_an_answer_to_the_post_that_names_another(self):
        """An answer to the POST that names another order is not about ours, so ours is looked up."""
        for strange in (row("fo1", accountId=OTHER, **REJECTED), row("fo2", **REJECTED),
                        row("fo1x", orderStatus="Filled"),
                        *({**row("fo1", **said), **other}
                          for said in (REJECTED, {"orderStatus": "Filled", "executed": 10})
                          for other in ({"symbol": "MSFT"}, {"side": "Sell"}, {"orderQuantity": 9}, {"limitPrice": 151},
                                        {"securityType": "Option"}))):
            told = answer(200, json.dumps(strange).encode(), ["Content-Type: application/json"])
            with self.subTest(strange=strange):
                self.assertEqual(self.answers_of_others(behaviours={"fo1": (True, told)}), "working")


if __name__ == "__main__":
    main()
