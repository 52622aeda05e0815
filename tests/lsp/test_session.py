#!/usr/bin/env python3
"""The session of `ordergate lsp`: framing, order of messages, how it ends."""
import json
import unittest

from lsp_client import Client, framed


def request(number, method, params=None):
    return framed(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params or {}}).encode())


class Session(unittest.TestCase):
    def raw(self, data, code, said=""):
        """Send bytes and close the input; returns the messages that the server sent."""
        client = Client(initialize=False)
        client.write(data)
        self.assertEqual(client.end(), (code, said))
        messages = []
        while (message := client.messages.get(timeout=600)) is not None:
            messages.append(message)
        return messages

    def test_it_ends_with_0_after_shutdown_and_with_1_without(self):
        self.assertEqual(Client().stop(), (0, ""))
        client = Client()
        client.notify("exit", None)
        self.assertEqual(client.end(), (1, ""))
        client = Client()
        self.assertEqual(client.end(), (1, ""))
        client = Client()
        client.request("shutdown", None)
        self.assertEqual(client.end(), (0, ""))
        self.raw(b"", 1)

    def test_it_ends_by_exit_while_the_input_stays_open(self):
        for asked, code in ((True, 0), (False, 1)):
            client = Client()
            if asked:
                client.request("shutdown", None)
            client.notify("exit", None)
            self.assertEqual(client.process.wait(60), code)
            client.end()

    def test_requests_before_initialize_and_after_shutdown_are_answered_with_an_error(self):
        client = Client(initialize=False)
        self.assertEqual(client.ask("textDocument/hover", {})["error"]["code"], -32002)
        self.assertEqual(client.ask("shutdown", None)["error"]["code"], -32002)
        self.assertIn("capabilities", client.request("initialize", {"capabilities": {}}))
        self.assertEqual(client.ask("initialize", {"capabilities": {}})["error"]["code"], -32600)
        self.assertEqual(client.ask("no/such", {})["error"]["code"], -32601)
        self.assertEqual(client.ask("textDocument/hover", {})["error"]["code"], -32602)
        client.request("shutdown", None)
        self.assertEqual(client.ask("textDocument/hover", {})["error"]["code"], -32600)
        client.notify("exit", None)
        self.assertEqual(client.end(), (0, ""))

    def test_bodies_that_are_no_requests_are_answered_and_the_session_goes_on(self):
        client = Client()
        for body, code in ((b"{", -32700), (b"", -32700), (b'{"a":1,"a":2}', -32700), (b'"\xff"', -32700),
                           (b'"\\ud800"', -32700), (b"[" * 100000, -32700), (b"[]", -32600), (b"{}", -32600),
                           (b'{"method":5}', -32600), (b'{"id":null}', -32600)):
            client.write(framed(body))
            answer = client.wait(lambda m: "error" in m)
            self.assertEqual((answer["id"], answer["error"]["code"]), (None, code), body[:20])
        client.write(framed(b'{"jsonrpc":"2.0","id":"x","result":null}'))  # an answer that nobody waits for
        client.write(framed(b'{"jsonrpc":"2.0","id":"text","method":"no/such"}'))
        self.assertEqual(client.wait(lambda m: "error" in m)["id"], "text")
        self.assertEqual(client.stop(), (0, ""))

    def test_the_head_may_have_other_fields_any_case_and_bare_line_feeds(self):
        body = request(1, "initialize").split(b"\r\n\r\n")[1]
        for head in (b"content-length: %d\r\n\r\n", b"Content-Length:%d\n\n",
                     b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: %d \r\n\r\n"):
            self.assertIn("result", self.raw(head % len(body) + body, 1)[0], head)

    def test_a_head_that_is_wrong_ends_the_session(self):
        for head, said in (
                (b"Content-Length: 5x\r\n\r\n", "Content-Length is not a number of at most 101711872 bytes"),
                (b"Content-Length: -5\r\n\r\n", "Content-Length is not a number of at most 101711872 bytes"),
                (b"Content-Length: \r\n\r\n", "Content-Length is not a number of at most 101711872 bytes"),
                (b"Content-Length: 101711873\r\n", "Content-Length is not a number of at most 101711872 bytes"),
                (b"Content-Length: 99999999999999999999999\r\n",
                 "Content-Length is not a number of at most 101711872 bytes"),
                (b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n", "the head has two lengths"),
                (b"Content-Type: x\r\n\r\n", "the head of a message has no Content-Length"),
                (b'{"jsonrpc":"2.0"}\n', "messages begin with Content-Length"),
                (b"hello\n", "messages begin with Content-Length"),
                (b"X: " + b"y" * 5000, "the head of a message has more than 4096 bytes")):
            client = Client(initialize=False)
            client.write(request(1, "initialize") + head)
            self.assertIn("result", client.wait(lambda m: m.get("id") == 1))
            self.assertEqual(client.process.wait(60), 4, head)
            code, why = client.end()
            self.assertIn(said, why)
            self.assertTrue(why.startswith("ordergate lsp: "), why)

    def test_an_input_that_ends_within_a_message_ends_the_session(self):
        whole = request(1, "initialize")
        self.assertEqual(len(self.raw(whole + request(2, "shutdown")[:-1], 1)), 1)
        self.assertEqual(len(self.raw(whole + b"Content-Le", 1)), 1)

    def test_messages_may_come_in_any_pieces(self):
        data = request(1, "initialize") + request(2, "shutdown") + framed(b'{"jsonrpc":"2.0","method":"exit"}')
        for size in (1, 7, 50):
            client = Client(initialize=False)
            for at in range(0, len(data), size):
                client.write(data[at:at + size])
            self.assertEqual(client.end(), (0, ""), size)


if __name__ == "__main__":
    unittest.main()
