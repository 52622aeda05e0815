"""Halt and resume by the forms of the console: who may, and what it does. A hostile client is a page of another site,
one whose name resolves to this machine, another user who may connect but cannot read the token file, and one who posts
again what was posted before: each is answered, and the flag stays as it is.
"""
import html
import json
import os
import re
import stat
import subprocess
import unittest
import urllib.parse

from console import BIN, HOST, Answer, WithConsole
from parallel_unittest import main
from sender import Sender, resting
from test_status import environment

FORM = "application/x-www-form-urlencoded"


class Forms(WithConsole, unittest.TestCase):
    def setUp(self):
        super().setUp()
        self.flag = os.path.join(self.state, "halt.json")

    def post(self, path, fields, origin=None, host=None, kind=FORM, body=None):
        body = urllib.parse.urlencode(fields).encode() if body is None else body
        origin = f"http://localhost:{self.port}" if origin is None else origin
        head = HOST % self.port if host is None else f"Host: {host}\r\n".encode()
        for name, value in (("Origin", origin), ("Content-Type", kind), ("Content-Length", len(body))):
            head += f"{name}: {value}\r\n".encode() if value != "" else b""
        return Answer(self.raw(f"POST {path} HTTP/1.1\r\n".encode() + head + b"Connection: close\r\n\r\n" + body))

    def trading(self):
        try:
            with open(self.flag) as f:
                return json.load(f)
        except FileNotFoundError:
            return None

    def of(self):
        """The halt that the form of a resume is about."""
        return html.unescape(re.search(r'name="of" value="([^"]*)"', self.get("/resume").text).group(1))

    # --- what they do ---

    def test_halt_and_resume(self):
        gate = self.sender()
        self.working(gate, "a")
        answer = self.post("/halt", {"token": self.token(), "reason": "feed <b>is</b> wrong", "scope": "halted-all"})
        self.assertEqual((answer.status, answer.fields["location"], answer.text), (303, "/", ""))
        flag = self.trading()
        self.assertEqual((flag["trading"], flag["reason"]), ("halted-all", "feed <b>is</b> wrong"))
        self.assertRegex(flag["by"], ".@.")
        page = self.get("/").text
        self.assertIn("Last done here: halted-all at ", page)
        self.assertRegex(page, "; [1-9] of [1-9] running senders that read this flag obeyed")
        self.assertIn("halted-all since " + flag["at"], page)
        self.assertIn("feed &lt;b&gt;is&lt;/b&gt; wrong", self.get("/resume").text)
        gate.feed(resting("b"))
        self.assertEqual(gate.event("outcome", "b")["outcome"], "refused")
        answer = self.post("/resume", {"token": self.token(), "reason": "feed is back", "of": self.of()})
        self.assertEqual(answer.status, 303)
        self.assertEqual((self.trading()["trading"], self.trading()["reason"]), ("on", "feed is back"))
        self.assertRegex(self.get("/").text, "[1-9] of [1-9] running senders that read this flag go on")
        self.working(gate, "c")
        halts = [json.loads(line) for line in subprocess.run(
            [os.path.join(BIN, "ordergate-ledger"), "list", "--halts", "--ledger", self.home.ledger],
            capture_output=True, env=environment(self.home)).stdout.splitlines()]
        self.assertEqual([row["detail"]["reason"] for row in halts], ["feed <b>is</b> wrong", "feed is back"])

    def test_a_halt_without_scope_and_one_that_is_weaker(self):
        self.sender()
        self.assertEqual(self.post("/halt", {"token": self.token()}).status, 303)
        self.assertEqual(self.trading()["trading"], "halted")
        at = self.trading()["at"]
        self.assertEqual(self.post("/halt", {"token": self.token(), "scope": "reduce-only"}).status, 303)
        self.assertEqual((self.trading()["trading"], self.trading()["at"]), ("halted", at))
        self.assertIn("A stricter halt stood already, and stays", self.get("/").text)

    def test_a_resume_says_why_and_of_which_halt(self):
        self.sender()
        token = self.token()
        self.assertIn("There is nothing to resume", self.get("/resume").text)
        self.assertEqual(self.post("/resume", {"token": token, "reason": "x", "of": ""}).status, 409)
        self.halt("first")
        first = self.of()
        for reason in ("", "   "):
            answer = self.post("/resume", {"token": token, "reason": reason, "of": first})
            self.assertEqual((answer.status, "say why trading may go on" in answer.text), (400, True))
        self.halt("second")
        answer = self.post("/resume", {"token": token, "reason": "read too early", "of": first})
        self.assertEqual((answer.status, "is not the one that stands now" in answer.text), (409, True))
        self.assertEqual(self.trading()["reason"], "second")
        resumed = {"token": token, "reason": "back", "of": self.of()}
        self.assertEqual(self.post("/resume", resumed).status, 303)
        self.halt("third")
        self.assertEqual(self.post("/resume", resumed).status, 409)  # posted again
        self.assertEqual(self.trading()["reason"], "third")

    def test_a_flag_that_cannot_be_read_is_resumed_as_by_the_program(self):
        self.sender()
        with open(self.flag, "w") as f:
            f.write("{")
        os.chmod(self.flag, 0o600)
        page = self.get("/resume").text
        self.assertIn("is not JSON", page)
        self.assertEqual(self.of(), "")
        self.assertEqual(self.post("/resume", {"token": self.token(), "reason": "mended", "of": ""}).status, 303)
        self.assertEqual(self.trading()["trading"], "on")

    # --- who may ---

    def test_only_with_the_token_of_this_run(self):
        self.sender()
        token = self.token()
        self.assertRegex(token, "^[0-9a-f]{64}$")
        for given in ("", token[:-1], token[:-1] + ("1" if token[-1] == "0" else "0"), token.upper() + "0", " " + token,
                      "0" * 64):
            for path, more in (("/halt", {"scope": "halted"}), ("/resume", {"of": ""})):
                answer = self.post(path, {"token": given, "reason": "x", **more})
                self.assertIn(answer.status, (400, 403), given)  # 400: it is too long for a token
                self.assertNotIn(token, answer.text)
        answer = self.post("/halt", {"reason": "x"})
        self.assertEqual((answer.status, "the token is not that of this run" in answer.text), (403, True))
        self.assertIsNone(self.trading())

    def test_who_can_read_the_token(self):
        gate = self.sender()
        token = self.token()
        path = self.token_file()
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o600)
        self.assertEqual(stat.S_IMODE(os.stat(self.state).st_mode), 0o700)
        said = b"".join(self.get(p).body for p in ("/", "/halt", "/resume", "/metrics", "/readyz", "/status"))
        for pid in (self.pid, gate.process.pid):
            for name in ("environ", "cmdline"):
                with open(f"/proc/{pid}/{name}", "rb") as f:
                    said += f.read()
        self.assertNotIn(token.encode(), said)
        self.assertIn(path.encode(), said)
        gate.close_input()
        gate.process.wait()
        self.ends()
        self.assertFalse(os.path.exists(path))
        os.unlink(self.port_file)
        self.sender()
        self.assertNotEqual(self.token(), token)

    def test_only_from_a_page_of_the_console(self):
        self.sender()
        port = self.port
        good = {"token": self.token(), "reason": "x"}
        for origin in ("", "null", "http://evil.example", f"https://localhost:{port}", "http://localhost",
                       f"http://localhost:{port + 1}", f"http://localhost:{port}.evil.example",
                       f"http://localhost:{port}/"):
            self.assertEqual(self.post("/halt", good, origin=origin).status, 403, origin)
        for host in (f"evil.example:{port}", "localhost", f"localhost:{port + 1}"):
            for origin in (None, f"http://{host}"):
                self.assertEqual(self.post("/halt", good, host=host, origin=origin).status, 403, host)
        self.assertIsNone(self.trading())
        answer = self.post("/halt", good, host=f"127.0.0.1:{port}", origin=f"http://127.0.0.1:{port}")
        self.assertEqual(answer.status, 303)

    def test_two_names_of_this_machine_are_two_origins(self):
        self.sender()
        good, names = {"token": self.token(), "reason": "x"}, ("localhost", "127.0.0.1", "[::1]")
        for host in names:
            for origin in names:
                if host != origin:
                    answer = self.post("/halt", good, host=f"{host}:{self.port}", origin=f"http://{origin}:{self.port}")
                    self.assertEqual((answer.status, "Open the console anew by one name" in answer.text), (403, True))
        self.assertIsNone(self.trading())

    def test_fields_that_are_given_twice(self):
        self.sender()
        body = b"token=" + self.token().encode()
        fields = [HOST % self.port, b"Origin: http://localhost:%d\r\n" % self.port,
                  b"Content-Type: " + FORM.encode() + b"\r\n", b"Content-Length: %d\r\n" % len(body)]
        for twice in fields:
            for again in (twice, twice.swapcase(), twice.partition(b":")[0] + b": evil.example\r\n"):
                for head in (fields + [again], [again] + fields):
                    answer = Answer(self.raw(b"POST /halt HTTP/1.1\r\n" + b"".join(head) + b"\r\n" + body))
                    self.assertEqual(answer.status, 400, again)
        self.assertIsNone(self.trading())

    def test_a_form_has_no_reason_of_an_earlier_halt(self):
        self.sender()
        self.halt("feed is wrong")
        for path in ("/halt", "/resume"):
            self.assertRegex(self.get(path).text, 'name="reason"[^>]* value="">', path)

    def test_nothing_else_halts(self):
        self.sender()
        token = self.token()
        query = urllib.parse.urlencode({"token": token, "reason": "x"})
        self.assertEqual(self.get("/halt?" + query).status, 200)  # the form, empty
        self.assertNotIn(token, self.get("/halt?" + query).text)
        self.assertEqual(self.post("/halt?" + query, {}).status, 403)
        for method in ("PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"):
            answer = self.get("/halt?" + query, method=method)
            self.assertEqual((answer.status, answer.fields["allow"]), (405, "GET, POST"))
        for path in ("/", "/status", "/halt/x", "/events"):
            self.assertIn(self.post(path, {"token": token}).status, (404, 405), path)
        for kind in ("", "text/plain", "application/json", "multipart/form-data; boundary=x", FORM + "x"):
            self.assertEqual(self.post("/halt", {"token": token}, kind=kind).status, 415, kind)
        self.assertIsNone(self.trading())

    def test_forms_that_are_not_ours(self):
        self.sender()
        good = b"token=" + self.token().encode()
        for more in (b"&token=x", b"&reason=a&reason=b", b"&other=1", b"&reason", b"&", b"&&reason=x", b"&reason=%",
                     b"&reason=%4", b"&reason=%zz", b"&reason=%00", b"&reason=a%0Ab", b"&reason=a\rb", b"&reason=%7f",
                     b"&reason=%ff", b"&reason=%c0%80", b"&reason=" + b"a" * 400, b"&scope=on", b"&scope=HALTED",
                     b"&scope=halted%20", b"&of=x", b"&scope=" + b"x" * 99):
            answer = self.post("/halt", {}, body=good + more)
            self.assertEqual((answer.status, more != b"&" and more), (400, more) if more != b"&" else (303, False))
            if more == b"&":  # an empty last field is none
                os.unlink(self.flag)
        self.assertIsNone(self.trading())
        self.assertEqual(self.post("/halt", {}, body=good + b"&reason=" + b"a" * 2000).status, 413)
        chunked = (b"POST /halt HTTP/1.1\r\n" + HOST % self.port + b"Origin: http://localhost:%d\r\n" % self.port +
                   b"Content-Type: " + FORM.encode() + b"\r\nTransfer-Encoding: chunked\r\n\r\n")
        self.assertEqual(Answer(self.raw(chunked + b"900\r\n" + b"a" * 0x900 + b"\r\n0\r\n\r\n")).status, 413)
        self.assertEqual(self.raw(chunked + b"46\r\n" + good[:20]), b"")  # it ends before its end
        self.assertIsNone(self.trading())
        self.assertEqual(self.post("/halt", {}, body=good + b"&reason=" + b"%41" * 399).status, 303)
        self.assertEqual(self.trading()["reason"], "A" * 399)

    def test_headers_of_the_form(self):
        self.sender()
        for path in ("/halt", "/resume"):
            fields = self.get(path).fields
            policy = fields["content-security-policy"]
            self.assertIn("default-src 'none'", policy)
            self.assertIn("form-action 'self'; frame-ancestors 'none'", policy)
            self.assertNotIn("unsafe", policy)
            self.assertEqual((fields["cache-control"], fields["x-frame-options"], fields["referrer-policy"]),
                             ("no-store", "DENY", "same-origin"))
        self.assertIn("form-action 'none'", self.get("/").fields["content-security-policy"])

    def test_without_a_place_for_the_token_it_only_shows(self):
        """The state folder cannot be made: a file is in its place. The sender's ledger is elsewhere."""
        state = self.home.file("no-folder", "")
        gate = self.enterContext(Sender(self.paper.url, self.home, "-p", self.policy, "--console", "localhost:0",
                                        "--console-port-file", self.port_file, env={"XDG_STATE_HOME": state}))
        self.until(lambda: self.port_is_known() or gate.process.poll() is not None, "the console")
        with open(self.port_file) as f:
            self.port = int(f.read())
        page = self.get("/halt").text
        self.assertIn("This page cannot halt or resume: ", page)
        self.assertNotIn("<form", page)
        for token in ("", "0" * 64):
            self.assertEqual(self.post("/halt", {"token": token}).status, 403)


if __name__ == "__main__":
    main()
