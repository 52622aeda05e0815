"""tools/monitoring: alerts and a dashboard for a sender with --console. promtool reads the alerts; then Prometheus
scrapes a sender, and every query of both is run against what it has: each finds the metrics that it names. Without
Prometheus from the distribution nothing is tested, and that is said.
"""
import json
import os
import re
import shutil
import socket
import subprocess
import tempfile
import unittest
import urllib.error
import urllib.parse
import urllib.request

from console import WithConsole
from paper import DEADLINE
from parallel_unittest import main
from sender import resting

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools", "monitoring")
ALERTS = os.path.join(FOLDER, "alerts.yaml")
CONFIG = """global: {{scrape_interval: 1s, evaluation_interval: 1s}}
rule_files: ['{alerts}']
scrape_configs:
  - job_name: ordergate
    static_configs: [{{targets: ['{target}']}}]
"""
CONDITION = re.compile(r" (==|!=|>=|>|<) (?:[0-9.]+|ordergate_limit_allowed)$")
MAY_BE_EMPTY = "ordergate_budget_wait_seconds"  # while no request has to wait


def alerts():
    """The alerts, by name: their expressions.  One line each has the name and the expression."""
    with open(ALERTS) as f:
        text = f.read()
    found = re.findall(r"- alert: (\w+)\n\s+expr: '((?:[^']|'')*)'\n", text)
    assert len(found) == text.count("- alert:")
    return {name: expr.replace("''", "'") for name, expr in found}


def panels():
    with open(os.path.join(FOLDER, "dashboard.json")) as f:
        return {(panel["title"], target["refId"]): target["expr"]
                for panel in json.load(f)["panels"] for target in panel["targets"]}


@unittest.skipUnless(shutil.which("promtool"), "promtool is not installed (apt-get install prometheus)")
class Files(unittest.TestCase):
    def test_promtool_reads_the_alerts(self):
        done = subprocess.run(["promtool", "check", "rules", "--lint-fatal", ALERTS], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn(f"{len(alerts())} rules found", done.stdout)


@unittest.skipUnless(shutil.which("prometheus"), "prometheus is not installed (apt-get install prometheus)")
class Scraped(WithConsole, unittest.TestCase):
    def prometheus(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            self.at = "http://127.0.0.1:%d" % s.getsockname()[1]
        config = os.path.join(folder, "prometheus.yaml")
        self.target = f"localhost:{self.port}"
        with open(config, "w") as f:
            f.write(CONFIG.format(alerts=ALERTS, target=self.target))
        process = self.enterContext(subprocess.Popen(
            ["prometheus", "--config.file", config, "--storage.tsdb.path", os.path.join(folder, "data"),
             "--web.listen-address", self.at.removeprefix("http://")], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL))
        self.addCleanup(process.kill)

    def ask(self, path, **arguments):
        query = urllib.parse.urlencode(arguments)
        with urllib.request.urlopen(f"{self.at}/api/v1/{path}?{query}", timeout=DEADLINE) as answer:
            return json.load(answer)["data"]

    def query(self, expression):
        """The samples; none as long as Prometheus does not answer."""
        expression = expression.replace("$instance", self.target).replace("$__rate_interval", "1m")
        try:
            return self.ask("query", query=expression)["result"]
        except (urllib.error.URLError, ConnectionError):
            return []

    def firing(self):
        return {rule["name"] for group in self.ask("rules")["groups"] for rule in group["rules"]
                if rule["state"] == "firing"}

    def test_every_query_finds_its_metrics(self):
        gate = self.sender()
        self.working(gate, "a")
        self.working(gate, "b")
        gate.feed(resting("c"))
        gate.event("outcome", "c")
        self.prometheus()
        rates = ("ordergate_decisions_total", "ordergate_post_seconds_bucket")
        self.until(lambda: all(self.query(f"rate({name}[1m])") for name in rates), "two scrapes")
        for name, expression in (*panels().items(), *alerts().items()):
            found = self.query(CONDITION.sub("", expression))
            self.assertTrue(found or MAY_BE_EMPTY in expression, (name, expression))
        self.until(lambda: self.firing() == {"OrdergateLimitUsedUp"}, "the alert")
        gate.kill()
        gate.process.wait()
        self.until(lambda: self.query(alerts()["OrdergateConsoleGone"]), "nothing to scrape")


if __name__ == "__main__":
    main()
