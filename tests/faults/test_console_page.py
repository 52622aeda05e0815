"""The console's page: as bytes, which any client gets; and in a real browser, headless Chromium driven by chromedriver,
where both are installed (apt-get install chromium chromium-driver). With OG_AXE, the path of axe.min.js (npm package
axe-core), each state is also checked by it. What is not installed is not tested, and that is said.
"""
import html.parser
import json
import os
import re
import shutil
import socket
import subprocess
import unittest
import urllib.error
import urllib.request

from console import HOST, WithConsole
from fault_proxy import FaultProxy
from paper import DEADLINE
from parallel_unittest import main
from sender import resting

AXE = os.environ.get("OG_AXE")
ENTER, TAB = "\ue007", "\ue004"
EMPTY = {"meta", "link", "br", "input"}


class Nesting(html.parser.HTMLParser):
    """Asserts that elements are closed in the order in which they were opened, and that none runs anything inline."""

    def __init__(self, case):
        super().__init__()
        self.case, self.open, self.text = case, [], []

    def handle_starttag(self, tag, attrs):
        self.case.assertFalse([a for a in attrs if a[0].startswith("on") or a[0] == "style"], tag)
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag):
        self.case.assertEqual(self.open.pop(), tag)

    def handle_data(self, data):
        if self.open and self.open[-1] == "script":
            self.case.fail("an inline script")
        self.text.append(data)


class Page(WithConsole, unittest.TestCase):
    def read(self, page):
        parser = Nesting(self)
        parser.feed(page)
        parser.close()
        self.assertEqual(parser.open, [])
        return " ".join(parser.text)

    def test_it_is_whole_without_a_script(self):
        gate = self.sender()
        self.working(gate, "a")
        self.working(gate, "b")
        gate.feed(resting("c"))
        gate.event("outcome", "c")
        self.until(lambda: "open-orders" in self.get("/").text, "the limits")
        page = self.get("/")
        text = self.read(page.text)
        self.assertIn('<noscript><meta http-equiv="refresh"', page.text)
        for words in ("near a limit: 1", "limit-near", "PAPER0001", "exposure gross", "3000", "10000", "30 %", "100 %",
                      "2 accepted, 1 refused", "3 orders would be open, the desk allows 2", self.home.ledger):
            self.assertIn(words, text)
        policy = page.fields["content-security-policy"]
        self.assertIn("default-src 'none'; img-src data:; script-src 'self'; style-src 'self'", policy)
        for path, kind in (("/console.js", "text/javascript"), ("/console.css", "text/css")):
            self.assertTrue(self.get(path).fields["content-type"].startswith(kind))

    def test_text_from_outside_is_text(self):
        gate = self.sender()
        nasty = "<script>alert(1)</script><img src=x onerror='1'>\" & ]]>"
        self.halt(nasty)
        gate.feed({**resting("x"), "clientOrderId": "<b>"})
        self.until(lambda: "alert(1)" in self.get("/").text, "the reason")
        page = self.get("/").text
        self.assertNotIn("<img", page)
        self.assertNotIn("<script>alert", page)
        self.assertIn(nasty, self.read(page))

    def test_a_suspended_sender_is_shown_as_it_was(self):
        """With the age of what is shown; and as before when it answers again."""
        gate = self.sender()
        self.working(gate, "a")
        self.until(lambda: "open-orders" in self.get("/").text, "the limits")
        gate.stop()
        self.until(lambda: 'class="stale"' in self.get("/").text, "no answer")
        page = self.get("/").text
        before, _, stale = page.partition('class="stale"')
        self.assertRegex(self.read(page), r"The sender does not answer\. What is shown of it is old: as of \s*\S+Z\s*, "
                                          r"\d+ s ago\.")
        for words in ("PAPER0001", "open-orders", "1 accepted, 0 refused"):
            self.assertIn(words, stale)
        self.assertNotIn("Sender</h2>", before)
        age = int(re.search('data-age="([0-9]+)"', page).group(1))
        self.until(lambda: int(re.search('data-age="([0-9]+)"', self.get("/").text).group(1)) > age, "it grows older")
        gate.resume()
        self.until(lambda: "stale" not in self.get("/").text, "an answer")
        self.assertIn("1 accepted, 0 refused", self.get("/").text)

    def test_events(self):
        gate = self.sender()
        with self.connect() as s:
            s.sendall(b"GET /events HTTP/1.1\r\n" + HOST % self.port + b"\r\n")
            data = b""
            while data.count(b"\n\n") < 2:
                data += s.recv(65536)
            head, _, events = data.partition(b"\r\n\r\n")
            self.assertIn(b"Content-Type: text/event-stream", head)
            self.assertNotIn(b"Content-Length", head)
            for event in events.split(b"\n\n")[:2]:
                self.assertRegex(event, rb"\Aevent: state\ndata: <p>As of [^\n]*\Z")
                self.read(event.decode().split("data: ")[1])
            self.working(gate, "a")
            gate.kill()
            while s.recv(65536):  # the connection ends with the sender
                pass

    def test_an_open_page_costs_little(self):
        """The console sleeps before each event: it did not, while each wake-up of a page woke the loop again."""
        self.sender()
        with self.connect() as s:
            s.sendall(b"GET /events HTTP/1.1\r\n" + HOST % self.port + b"\r\n")
            data, turns = b"", []
            for count in (1, 4):
                while data.count(b"\n\n") < count:
                    data += s.recv(65536)
                with open(f"/proc/{self.pid}/status") as f:
                    turns.append(int(re.search(r"^voluntary_ctxt_switches:\s+(\d+)", f.read(), re.M).group(1)))
        self.assertGreaterEqual(turns[1] - turns[0], 3)

    def test_pages_that_are_not_read_are_bounded(self):
        gate = self.sender()
        ask = b"GET /events HTTP/1.1\r\n" + HOST % self.port + b"\r\n"
        open_pages = [self.enterContext(self.connect()) for _ in range(16)]
        for s in open_pages:
            s.sendall(ask)
            self.assertTrue(s.recv(12).startswith(b"HTTP/1.1 200"))
        self.assertTrue(self.raw(ask).startswith(b"HTTP/1.1 503"))
        self.working(gate, "a")
        self.assertEqual(self.get("/metrics").status, 200)


@unittest.skipUnless(shutil.which("chromedriver") and shutil.which("chromium"),
                     "chromium and chromedriver are not installed (apt-get install chromium chromium-driver)")
class Browser(WithConsole, unittest.TestCase):
    def browser(self, *arguments, **preferences):
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            port = s.getsockname()[1]
        driver = self.enterContext(subprocess.Popen(["chromedriver", f"--port={port}"], stdout=subprocess.DEVNULL,
                                                    stderr=subprocess.DEVNULL))
        self.addCleanup(driver.terminate)
        self.driver = f"http://127.0.0.1:{port}"
        self.until(self.answers, "chromedriver")
        options = {"args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", *arguments],
                   "prefs": preferences}
        session = self.call("POST", "/session", capabilities={"alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}})
        self.driver += "/session/" + session["sessionId"]
        self.addCleanup(self.call, "DELETE", "")

    def answers(self):
        try:
            return self.call("GET", "/status")["ready"]
        except (urllib.error.URLError, ConnectionError):
            return False

    def call(self, method, path, **arguments):
        body = json.dumps(arguments).encode() if method == "POST" else None
        request = urllib.request.Request(self.driver + path, body, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=DEADLINE * 5) as answer:
            return json.load(answer)["value"]

    def run_script(self, script, *args):
        return self.call("POST", "/execute/sync", script=script, args=list(args))

    def open_page(self, path="/"):
        self.call("POST", "/url", url=f"http://localhost:{self.port}{path}")

    def text(self):
        return self.run_script("return document.body.innerText")

    def check(self, status=""):
        """Nothing was blocked or failed but a form that was refused with this status; it fits 320 pixels, and twice the
        size; axe finds no fault."""
        said = [e["message"] for e in self.call("POST", "/se/log", type="browser")]
        self.assertEqual([m for m in said if not (status and f"status of {status}" in m)], [])
        for width in (320, 1280):
            self.call("POST", "/goog/cdp/execute", cmd="Emulation.setDeviceMetricsOverride",
                      params={"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False})
            self.assertLessEqual(self.run_script("return document.scrollingElement.scrollWidth"), width)
        if not AXE:
            return
        with open(AXE) as f:
            self.run_script(f.read())
        for scheme in ("light", "dark"):
            self.call("POST", "/goog/cdp/execute", cmd="Emulation.setEmulatedMedia",
                      params={"features": [{"name": "prefers-color-scheme", "value": scheme}]})
            faults = self.call("POST", "/execute/async", args=[], script="""
                var done = arguments[0];
                axe.run(document).then(function (r) {
                    done(r.violations.map(function (v) { return v.id + ': ' + v.nodes[0].html; }));
                });""")
            self.assertEqual(faults, [], scheme)

    def test_states(self):
        proxy = self.enterContext(FaultProxy(self.paper, {"lost": (False, "close")}))
        gate = self.sender("--wait", "1ms", url=proxy.url)
        self.until(lambda: self.get("/readyz").status == 200, "ready")
        self.browser()
        self.open_page()
        self.until(lambda: "Live." in self.text(), "the first event")
        self.assertIn("✔ Healthy", self.text())
        self.check()
        gate.feed(resting("a"), resting("b"))
        self.until(lambda: "near a limit: 1" in self.text(), "the limit, without reading the page again")
        self.check()
        self.halt("feed <b>is</b> wrong")
        self.until(lambda: "feed <b>is</b> wrong" in self.text(), "the halt")
        self.assertIn("Needs somebody: ", self.text())
        self.check()

    def test_an_order_of_unknown_outcome(self):
        proxy = self.enterContext(FaultProxy(self.paper, {"lost": (False, "close")}))
        gate = self.sender("--wait", "1ms", url=proxy.url)
        gate.feed(resting("lost"))
        gate.event("outcome", "lost")
        self.browser()
        self.open_page()
        self.until(lambda: "Orders of unknown outcome" in self.text(), "the order")
        self.assertRegex(self.text(), r"unknown-order PAPER0001: outcome of order 'lost' is unknown")
        self.check()

    def test_orders_and_positions(self):
        gate = self.sender()
        gate.feed(resting("filled", limitPrice=195))
        gate.event("outcome", "filled")
        self.working(gate, "<b>a</b>")
        gate.feed(resting("b"), resting("c"))
        gate.event("outcome", "c")
        self.browser()
        self.open_page("/orders")
        self.assertIn("Newest first", self.text())
        self.check()
        self.click("link text", "<b>a</b>")
        self.until(lambda: "RECORDS" in self.text(), "the story")
        self.assertIn("order <b>a</b> of account PAPER0001: working", self.text())
        self.check()
        self.open_page("/positions")
        self.assertIn("AAPL", self.text())
        self.check()

    def test_the_gate_dies(self):
        gate = self.sender()
        self.browser()
        self.open_page()
        self.until(lambda: "Live." in self.text(), "the first event")
        gate.kill()
        self.until(lambda: "What is shown is old." in self.text(), "the gate's end")
        self.assertEqual(self.run_script("return document.body.className"), "old")

    def test_the_sender_is_suspended(self):
        gate = self.sender()
        self.working(gate, "a")
        self.browser()
        self.open_page()
        self.until(lambda: "Live." in self.text(), "the first event")
        self.assertRegex(self.text(), r"Age of what is shown: \d+ s")
        gate.stop()
        self.until(lambda: "What is shown of it is old." in self.text(), "no answer")
        self.assertNotIn("Live.", self.text())
        self.assertIn("1 accepted, 0 refused", self.text())
        self.until(lambda: int(re.search(r"shown: (\d+) s", self.text()).group(1)) > 5, "it grows older")
        self.check()
        gate.resume()
        self.until(lambda: "Live." in self.text(), "an answer")

    def press(self, keys):
        """Keys typed one after another, as by somebody without a mouse."""
        downs = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.call("POST", "/actions", actions=[{"type": "key", "id": "keyboard", "actions": downs}])

    def element(self, using, value):
        found, = self.call("POST", "/elements", using=using, value=value)
        return "/element/" + next(iter(found.values()))

    def click(self, using, value):
        self.call("POST", self.element(using, value) + "/click")

    def type_into(self, field, text):
        self.call("POST", self.element("css selector", "#" + field) + "/value", text=text)

    def focus_by_tab(self, what):
        """Press Tab until the link, field or button has the focus."""
        for _ in range(30):
            self.press([TAB])
            if what in self.run_script("return document.activeElement.outerHTML"):
                return
        self.fail(f"no Tab reaches {what}")

    def test_halt_and_resume_by_keyboard(self):
        """Two steps: the link to the form, and the form."""
        self.sender()
        self.until(lambda: self.get("/readyz").status == 200, "ready")
        token = self.token()
        self.browser()
        for what, reason in (("halt", "feed is wrong"), ("resume", "feed is back")):
            self.open_page()
            self.focus_by_tab(f'href="/{what}"')
            self.press([ENTER])
            self.until(lambda: "Reason" in self.text(), "the form")
            self.check()
            self.focus_by_tab('id="reason"')
            self.press(reason)
            self.focus_by_tab('id="token"')
            self.press("0" * 64 + ENTER)
            self.until(lambda: "the token is not that of this run" in self.text(), "the refusal")
            self.check("403")
            self.focus_by_tab('id="token"')
            self.press(token + ENTER)
            self.until(lambda: "Live." in self.text(), "the state")
            self.assertIn(f": {reason}", self.text())
            self.assertIn("Last done here: " + {"halt": "halted", "resume": "on"}[what], self.text())
            self.check()

    def test_without_javascript(self):
        self.sender()
        self.until(lambda: self.get("/readyz").status == 200, "ready")
        self.browser(**{"profile.managed_default_content_settings.javascript": 2})
        self.open_page()
        source = self.call("GET", "/source")
        self.assertIn("✔ Healthy", source)
        self.assertIn("This page shows one moment.", source)
        before = re.search(r"<time>([^<]*)", source).group(1)
        self.until(lambda: re.search(r"<time>([^<]*)", self.call("GET", "/source")).group(1) != before,
                   "the page is read again by itself")
        self.click("link text", "Halt…")
        self.until(lambda: "Halt trading" in self.call("GET", "/source"), "the form")
        self.type_into("reason", "feed is wrong")
        self.type_into("token", self.token())
        self.click("css selector", "button")
        self.until(lambda: "halted since " in self.call("GET", "/source"), "the halt")


if __name__ == "__main__":
    main()
