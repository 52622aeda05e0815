"""One POST for each order, whatever happens to its answer; and the outcome of each way in which a POST can end."""
import json
import unittest

from fault_proxy import FaultProxy, answer
from paper import Paper, stock
from parallel_unittest import main
from sender import RUNNING, Sender, TempHome, posts, resting, send

JSON = ("Content-Type: application/json",)

# Ways to lose the answer of a POST whose order did not reach the brokerage.
LOST = {
    "close": "close", "reset": "reset", "unread": "unread", "cut": "cut", "hang": "hang",
    "http-500": answer(500, b"{}", JSON), "http-502": answer(502), "http-503": answer(503, b"busy"),
    "http-302": answer(302, b"", ("Location: /v1/api/accounts/PAPER0001/order",)),
    "http-307": answer(307, b"", ("Location: /elsewhere",)),
    "http-308": answer(308, b"", ("Location: /elsewhere",)),
    "no-json": answer(200, b"<html>", JSON), "no-order": answer(200, b'{"ok":true}', JSON),
    "empty": answer(200, b"", JSON),
    "http-403": answer(403, b"no"), "http-409": answer(409, b"{}", JSON), "http-201-empty": answer(201),
    "not-http": b"what?\r\n\r\n",
}


class OnePost(unittest.TestCase):
    def test_an_answer_that_is_lost_is_unknown_and_nothing_is_posted_again(self):
        with Paper(clock=RUNNING) as p, FaultProxy(p,
                                                   {k: (False, v) for k, v in LOST.items()}) as b, TempHome() as home:
            with Sender(b.url, home, "--wait", "5s", "--timeout", "5s", "--max-in-flight", "1") as gate:
                gate.feed(resting("first"))
                gate.event("posted", "first")
                gate.feed(*[stock(k) for k in LOST], resting("last"))
                self.assertEqual(gate.finish(len(LOST) + 2), 5)
            self.assertEqual(b.posts, {k: 1 for k in ("first", *LOST, "last")})
            outcomes = gate.outcomes()
            self.assertEqual({k: outcomes[k] for k in LOST}, {k: "unknown" for k in LOST})
            self.assertEqual((outcomes["first"], outcomes["last"]), ("working", "working"))
            self.assertFalse([path for method, path in b.paths if "elsewhere" in path], "a redirect was followed")
            self.assertEqual(gate.event("posted", "http-503")["http"], 503)
            self.assertIsNone(gate.event("posted", "close")["http"])
            self.assertIn(("GET", "/v1/api/accounts/PAPER0001/order/close"), b.paths)
            self.assertEqual({home.newest_row(k)["state"] for k in LOST}, {"unknown"})
            self.assertIn("order 'close': its answer was lost (the connection was closed after the request was written "
                          "and before an answer came; it is not sent again); looking it up", gate.stderr)
            self.assertNotIn("seek", gate.stderr)  # libcurl writes this if it wants to send a request again

    def test_what_is_given_up_is_not_sent_later(self):
        """The sender closes a connection without a reset: the kernel may still deliver what it has of the request,
        even minutes later, so the sender must reset it."""
        with Paper(clock=RUNNING) as p, FaultProxy(p, {"o": (False, "hang")}) as b, TempHome() as home:
            code, _ = send(b.url, home, [resting("o")], "--timeout", "200ms", "--wait", "1s")
            self.assertEqual((code, b.resets), (5, ["o"]))

    def test_an_order_that_arrived_is_found_by_asking(self):
        behaviours = {k: (True, v) for k, v in LOST.items() if k != "unread"}
        with Paper(clock=RUNNING) as p, FaultProxy(p, behaviours, streams=False) as b, TempHome() as home:
            lines = [resting("first"), *[resting(k) for k in behaviours]]
            code, gate = send(b.url, home, lines, "--timeout", "2s", "--max-in-flight", "1")
            self.assertEqual(code, 0)
            self.assertEqual(gate.outcomes(), {o["clientOrderId"]: "working" for o in lines})
            self.assertEqual(b.posts, {o["clientOrderId"]: 1 for o in lines})
            self.assertIn("no stream", gate.stderr)
            self.assertTrue(gate.events_of("update", "close"))
            self.assertLessEqual({e["source"] for e in gate.events_of("update")}, {"lookup", "list", "reply"})

    def test_an_answer_that_says_it_had_no_effect_is_not_sent(self):
        behaviours = {"401": (False, answer(401)), "404": (False, answer(404, b"x")), "429": (False, answer(429))}
        with Paper(clock=RUNNING) as p, FaultProxy(p, behaviours) as b, TempHome() as home:
            code, gate = send(b.url, home, [resting(k) for k in ("401", "404", "fine", "429")], "--wait", "900ms")
            self.assertEqual(code, 4)
            self.assertEqual(gate.outcomes(),
                             {"401": "not-sent", "404": "not-sent", "429": "not-sent", "fine": "working"})
            self.assertEqual(b.posts, {"401": 1, "404": 1, "429": 1, "fine": 1})
            self.assertEqual([home.newest_row(k)["state"] for k in behaviours], ["not-sent"] * 3)

    def test_after_a_429_the_same_bytes_are_posted_again(self):
        with Paper(clock=RUNNING) as p, FaultProxy(p, {"busy": [(False, answer(429)),
                                                                (True, "answer")]}) as b, TempHome() as home:
            code, gate = send(b.url, home, [resting("busy")])
            self.assertEqual((code, gate.outcomes()), (0, {"busy": "working"}))
            self.assertEqual(b.posts, {"busy": 2})
            self.assertEqual(b.bodies["busy"][0], b.bodies["busy"][1])
            self.assertEqual(len(posts(p)), 1)

    def test_a_429_that_became_a_lost_answer_is_unknown_and_not_posted_a_third_time(self):
        with Paper(clock=RUNNING) as p, FaultProxy(p, {"busy": [(False, answer(429)),
                                                                (False, "close")]}) as b, TempHome() as home:
            code, gate = send(b.url, home, [resting("busy")], "--wait", "9s")
            self.assertEqual((code, gate.outcomes()), (5, {"busy": "unknown"}))
            self.assertEqual(b.posts, {"busy": 2})

    def test_a_400_is_the_brokers_rejection(self):
        text = b"The field Symbol must match the regular expression '^x$'.\r\nAnother line.\r\n"
        behaviours = {"plain": (False, answer(400, text, ("Content-Type: text/plain",))),
                      "json": (False, answer(400, b'{"code":"BadRequest","message":"no","detail":"because"}', JSON))}
        with Paper(clock=RUNNING) as p, FaultProxy(p, behaviours) as b, TempHome() as home:
            code, gate = send(b.url, home, [stock("plain"), stock("json")])
            self.assertEqual((code, gate.outcomes()), (1, {"plain": "rejected", "json": "rejected"}))
            plain = gate.event("outcome", "plain")["text"]
            self.assertIn("The field Symbol must match", plain)
            self.assertIn("Another line.", plain)
            self.assertEqual(gate.event("outcome", "json")["text"], "no: because")
            self.assertEqual(gate.event("posted", "plain")["http"], 400)

    def test_what_was_decided_is_what_is_posted(self):
        with Paper(clock=RUNNING) as p, FaultProxy(p) as b, TempHome() as home:
            line = '{"op":"order", "accountId":"PAPER0001","timeInForce":"Day","limitPrice":190.0100,"symbol":"AAPL",' \
                   '"side":"Buy","openClose":"Open","orderType":"Limit","orderQuantity":1e1,"securityType":"Stock",' \
                   '"clientOrderId":"w"}'
            code, gate = send(b.url, home, [line])
            self.assertEqual(code, 0)
            body = json.loads(b.bodies["w"][0])
            self.assertNotIn("accountId", body)
            self.assertNotIn("op", body)
            self.assertEqual((body["orderQuantity"], body["limitPrice"], body["clientOrderId"]), (10, 190.01, "w"))
            self.assertEqual(home.rows("record = 'intent'")[0]["detail"].encode(), b.bodies["w"][0])


if __name__ == "__main__":
    main()
