"""The index at /: what is served, for programs and for people."""
import html.parser
import pathlib
import re
import unittest

from paper import Paper

ROOT = pathlib.Path(__file__).parents[2]


class Rows(html.parser.HTMLParser):
    """Reads the rows of all tables, and the links."""

    def __init__(self, page):
        super().__init__()
        self.rows, self.links, self.cell = [], [], False
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        if tag == "tr":
            self.rows.append([])
        self.cell = tag in ("td", "a")
        if tag == "td":
            self.rows[-1].append("")
        if tag == "a":
            self.links.append(dict(attrs)["href"])

    def handle_endtag(self, tag):
        self.cell = False

    def handle_data(self, data):
        if self.cell and self.rows:
            self.rows[-1][-1] += data


class Index(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.p = Paper()

    @classmethod
    def tearDownClass(cls):
        cls.p.stop()

    def index(self, p=None, **headers):
        return (p or self.p).call("GET", "/", keys=None, headers=headers)

    def test_it_has_every_endpoint(self):
        table = re.findall(r'^OG_ENDPOINT\(\w+, (\w+), "([a-z-]+)", "([^"]+)"',
                           ROOT.joinpath("src/base/endpoints.def").read_text(), re.M)
        service = self.index().json["service"]
        self.assertEqual([(row["about"], re.sub("{[^}]*}", "{}", row["path"])) for row in service],
                         [(f"{method} {name}", "/v1/api/" + re.sub("{[^}]*}", "{}", path))
                          for method, name, path in table])
        self.assertEqual({v for row in service for v in re.findall("{([^}]*)}", row["path"])},
                         {"account", "clientOrderId", "startDate", "symbol", "quoteReqID"})
        for row in self.index().json["streams"]:
            self.assertEqual(self.p.stream(row["path"].removeprefix("/stream/")).json()["status"], "PENDING_AUTH")

    def test_it_has_every_control_call(self):
        """Each call that is listed exists, and the man page has each; what can be put can be shown, but for keys."""
        control = self.index().json["control"]
        man = ROOT.joinpath("tools/ordergate-paper.1").read_text()
        for row in control:
            path = row["path"].replace("{symbol}", "AAPL").replace("{account}", "PAPER0001").replace("{key}", "k")
            reply = self.p.call(row["method"], path, "" if row["method"] in ("PUT", "POST") else None, keys=None)
            self.assertIn(reply.status, (200, 400), row)
            self.assertEqual(self.p.call(row["method"], path + "/x/y", keys=None).status, 404, row)
            if row["method"] != "GET":
                self.assertTrue(re.search(f"(?m)^.It Li {row['method']} .*{re.escape(row['path'])}( |$)", man), row)
        methods = {path: {row["method"] for row in control if row["path"] == path} for path in
                   [row["path"] for row in control]}
        self.assertEqual([path for path, has in methods.items() if "PUT" in has and "GET" not in has],
                         ["/paper/keys/{key}"])
        self.assertEqual(methods["/paper/faults"], {"GET", "PUT", "POST", "DELETE"})
        with Paper(control=False) as p:
            self.assertNotIn("control", self.index(p).json)

    def test_browsers_get_a_page(self):
        reply = self.index(Accept="text/html,application/xhtml+xml,*/*;q=0.8")
        self.assertEqual(reply.headers["Content-Type"], "text/html; charset=utf-8")
        self.assertIn("default-src 'none'", reply.headers["Content-Security-Policy"])
        page, index = Rows(reply.text), self.index().json
        self.assertEqual([row for row in page.rows if len(row) == 3],
                         [[row["method"], row["path"], row["about"]]
                          for part in ("service", "streams", "control") for row in index[part]])
        self.assertIn("/paper/clock", page.links)
        for link in page.links:
            self.assertEqual(self.p.call("GET", link, keys=None).status, 200, link)
        self.assertEqual(self.p.call("GET", "/page.css", keys=None).headers["Content-Type"], "text/css; charset=utf-8")

    def test_other_clients_get_json(self):
        for headers in ({}, {"Accept": "*/*"}, {"Accept": "application/json"}):
            reply = self.index(**headers)
            self.assertEqual((reply.status, reply.headers["Content-Type"]), (200, "application/json; charset=utf-8"))
        self.assertEqual(self.p.control("GET", "requests")["requests"], [], "the index is no request of the service")
        for method in ("POST", "PUT", "DELETE"):
            self.assertEqual(self.p.call(method, "/", keys=None).status, 404)


if __name__ == "__main__":
    unittest.main()
