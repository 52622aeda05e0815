"""The examples of the man page, run in a shell: curl calls every endpoint of the service."""
import json
import os
import pathlib
import re
import subprocess
import unittest

from paper import Paper, SomeFile

PAGE = pathlib.Path(__file__).parents[2] / "tools/ordergate-paper.1"
PATTERNS = """GET accounts; GET account/{}; GET accounts/{}/pnl; GET accounts/{}/positions;
    GET accounts/{}/positions/closed;
    GET accounts/{}/cash-transactions/start-date/{}; GET accounts/{}/routes; GET accounts/{}/orders;
    GET accounts/{}/order/{}; GET accounts/{}/orders/start-date/{};
    GET accounts/{}/orders-with-pagination/start-date/{}; POST accounts/{}/order;
    DELETE accounts/{}/orders/{}; DELETE accounts/orders; GET accounts/{}/is-easy-to-borrow/symbol/{};
    POST accounts/locates/quote; POST accounts/locates/accept; POST accounts/locates/sell;
    DELETE accounts/locates/cancel/accounts/{}/quoteReqID/{};
    GET accounts/{}/locates/history; GET accounts/{}/locates/inventory"""


def examples(heading):
    """Returns the literal text below that heading of the man page, as a reader sees it."""
    page = PAGE.read_text()
    section = page[page.index(f"{heading}\n"):]
    return section[section.index(".Bd "):section.index("\n.Ed")].split("\n", 1)[1].replace("\\e", "\\").replace("\\&",
                                                                                                                "")


class Curl(unittest.TestCase):
    def run_shell(self, script, home):
        """Run the script unchanged; curl itself appends the status to each answer."""
        with open(os.path.join(home, ".curlrc"), "w") as settings:
            settings.write('silent\nshow-error\nwrite-out = "\\n%{http_code}\\n"\n')
        done = subprocess.run(["sh", "-euc", script], capture_output=True, text=True, timeout=600,
                              env={**os.environ, "CURL_HOME": home, "no_proxy": "*"})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        lines = done.stdout.splitlines()
        return [(int(status), json.loads(body)) for body, status in zip(lines[::2], lines[1::2])]

    def test_every_endpoint(self):
        script = examples(".Ss Calls")
        with Paper() as p, SomeFile() as path:
            self.assertEqual(script.count("http://127.0.0.1:8787"), 1)
            answers = self.run_shell(script.replace("http://127.0.0.1:8787", p.url), os.path.dirname(path))
            asked = p.control("GET", "requests")["requests"]
        wanted = {pattern.strip() for pattern in PATTERNS.replace("\n", " ").split(";")}
        self.assertEqual(len(wanted), 21)
        seen = set()
        for request in asked:
            call = f"{request['method']} {request['path'].removeprefix('/v1/api/')}"
            seen |= {w for w in wanted if re.fullmatch(re.sub(r"\{\}", "[^/]+", w), call)}
        self.assertEqual((wanted - seen, len(asked), len(answers)), (set(), 21, 21))
        self.assertEqual([status for status, _ in answers], [200] * 21)
        said = json.dumps([answer for _, answer in answers])
        for part in ("PendingNew", "PendingCancel", "locateQuoteSent", "locateAcceptSent", "locateSellSent",
                     "locateCancelSent"):
            self.assertIn(part, said)

    def test_the_examples_section(self):
        script = examples(".Sh EXAMPLES")
        serve, *calls = script.split("\n", 1)
        self.assertEqual(serve, "ordergate paper --listen 127.0.0.1:8787 --clock 2026-01-15T15:00:00Z --control")
        with Paper() as p, SomeFile() as path:
            answers = self.run_shell(calls[0].replace("http://127.0.0.1:8787", p.url), os.path.dirname(path))
        self.assertEqual([status for status, _ in answers], [200] * calls[0].count("curl "))


if __name__ == "__main__":
    unittest.main()
