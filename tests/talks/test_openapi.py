"""The OpenAPI document at /openapi.json: its form, that it has everything that is served, and that every request and
answer of the tests of the service's document (rows.txt) is as it says.

openapi-spec-validator (pip) checks the form by the standard's own schema where it is installed; without it the checks
here remain, and that is said.
"""
import importlib
import io
import json
import re
import sys
import unittest
from decimal import Decimal

import paper
from paper import Paper
from test_rows import HERE, tested
from validator import KNOWN, Validator

try:
    from openapi_spec_validator import OpenAPIV31SpecValidator
except ImportError:
    OpenAPIV31SpecValidator = None

# Files with tests of rows whose subject is how requests go wrong on the way, or that take long; what they ask is asked
# by the others too.
LEFT_OUT = {"test_differential.py", "test_differential_requests.py", "test_hostile.py", "test_database.py",
            "test_many_streams.py", "test_errors_http.py", "test_serving.py", "test_openapi.py", "test_client.py",
            "test_broker.py", "test_watch.py", "test_curl.py", "test_stopping.py"}


def refs(value):
    """Yields every $ref in a document."""
    if isinstance(value, dict):
        if "$ref" in value:
            yield value["$ref"]
        for item in value.values():
            yield from refs(item)
    elif isinstance(value, list):
        for item in value:
            yield from refs(item)


def exact(text):
    """Parse JSON; the validator takes no floating point."""
    return json.loads(text, parse_float=Decimal)


def shape(value):
    """Returns a text that is the same for values with the same members, types and words."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{k}:{shape(v)}" for k, v in sorted(value.items())) + "}"
    if isinstance(value, list):
        return "[" + ",".join(sorted({shape(v) for v in value})) + "]"
    return type(value).__name__


class Described:
    """An OpenAPI document, with what finds the operation of a request."""

    def __init__(self, document):
        self.document = document
        self.schemas = document["components"]["schemas"]
        self.paths = [(re.compile(re.sub(r"\\{[^}]*\\}", "[^/]+", re.escape(path)) + "/?"), path)
                      for path in document["paths"]]

    def operation(self, method, path):
        path = path.partition("?")[0]
        for pattern, name in sorted(self.paths, key=lambda p: p[1].count("{")):
            if pattern.fullmatch(path) and method.lower() in self.document["paths"][name]:
                return self.document["paths"][name][method.lower()]
        return None

    def faults(self, schema, value):
        return Validator({"$defs": self.schemas, **schema}).faults(value)

    def judge(self, method, path, sent, reply):
        """Returns what is wrong with a request that was accepted, or with an answer."""
        operation = self.operation(method, path)
        if not operation:
            return []
        answers = operation["responses"]
        described = answers.get(str(reply.status)) or answers.get(f"{reply.status // 100}XX")
        if not described:
            return [f"status {reply.status} is not described"]
        kind = (reply.headers["Content-Type"] or "").partition(";")[0]
        content = described.get("content", {})
        if (kind or None) not in (list(content) or [None]) and reply.body:
            return [f"the answer {reply.status} is {kind}: {reply.text[:80]}"]
        wrong = self.faults(content[kind]["schema"], exact(reply.body)) if kind.endswith("json") else []
        if reply.status == 200 and "requestBody" in operation:
            body = operation["requestBody"]["content"].get("application/json")
            if body:
                wrong += self.faults(body["schema"], exact(sent))
        return wrong


class Document(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.p = Paper()
        cls.document = cls.p.call("GET", "/openapi.json", keys=None).json

    @classmethod
    def tearDownClass(cls):
        cls.p.stop()

    def operations(self):
        return [(method.upper(), path, operation) for path, item in self.document["paths"].items()
                for method, operation in item.items()]

    @unittest.skipUnless(OpenAPIV31SpecValidator, "openapi-spec-validator is not installed (pip)")
    def test_it_is_openapi_3_1(self):
        self.assertEqual([str(e) for e in OpenAPIV31SpecValidator(self.document).iter_errors()], [])

    def test_its_form(self):
        schemas = self.document["components"]["schemas"]
        self.assertEqual(self.document["openapi"], "3.1.0")
        for ref in refs(self.document):
            self.assertIn(ref.removeprefix("#/components/schemas/"), schemas)
        used = set(refs(self.document["paths"])) | {r for s in schemas.values() for r in refs(s)}
        self.assertEqual({f"#/components/schemas/{name}" for name in schemas} - used, set(), "not used")
        ids = [operation["operationId"] for _, _, operation in self.operations()]
        self.assertEqual(len(set(ids)), len(ids))
        for _, path, operation in self.operations():
            self.assertEqual([p["name"] for p in operation["parameters"] if p["in"] == "path"],
                             re.findall("{([^}]*)}", path))
            if operation["tags"] == ["service"]:
                answer = operation["responses"]["200"]["content"]["application/json"]["schema"]
                self.assertNotEqual(answer, {"type": "object"}, f"{path} is missing in src/paper/openapi.c")
        for name, schema in schemas.items():
            Validator({"$defs": schemas, **schema}).faults({})  # raises for a word that is no keyword
            self.assertLessEqual(set(schema), KNOWN, name)

    def test_it_has_what_the_index_has(self):
        index = self.p.call("GET", "/", keys=None).json
        self.assertEqual(index["openapi"], "/openapi.json")
        self.assertEqual([(m, path) for m, path, _ in self.operations()],
                         [(row["method"], row["path"]) for part in ("service", "control") for row in index[part]])
        with Paper("--header-prefix", "DESK", control=False) as p:
            document = p.call("GET", "/openapi.json", keys=None).json
        self.assertEqual([path for path in document["paths"] if path.startswith("/paper/")], [])
        self.assertEqual([s["name"] for s in document["components"]["securitySchemes"].values()],
                         ["DESK-API-KEY-ID", "DESK-API-SECRET-KEY"])

    def test_what_the_control_calls_show(self):
        described = Described(self.document)
        self.p.order(paper.stock("a"))
        self.p.order(paper.option("b"))
        self.p.advance("1s")
        self.p.control("PUT", "quotes/GME", None)
        self.p.control("POST", "faults", {"on": "GET pnl", "do": "status", "chance": "1%"})
        for method, path, _ in self.operations():
            if method != "GET" or not path.startswith("/paper/"):
                continue
            for symbol in ("AAPL", "GME"):
                at = path.replace("{symbol}", symbol).replace("{account}", "PAPER0001")
                reply = self.p.call("GET", at, keys=None)
                self.assertEqual((reply.status, described.judge("GET", at, None, reply)), (200, []), at)
        self.assertNotEqual(described.faults({"$ref": "#/components/schemas/Switches"}, {"expiry": "never"}), [])


class Conformance(unittest.TestCase):
    """The tests of the rows, with an ear on what they say and hear."""

    def test_every_exchange_is_as_described(self):
        with Paper() as p:
            described = Described(p.call("GET", "/openapi.json", keys=None).json)
        heard, answered, kinds, really = {}, set(), set(), Paper.call

        def call(p, method, path, body=None, keys=paper.PAPER, headers=None, fresh=False):
            reply = really(p, method, path, body, keys, headers, fresh)
            sent = body if body is None or isinstance(body, (bytes, str)) else json.dumps(body)
            operation = described.operation(method, path)
            if path.startswith("/v1/api/") and operation:
                json_answer = reply.headers["Content-Type"] == "application/json; charset=utf-8" and \
                    not reply.headers["Content-Encoding"]
                key = (operation["operationId"], reply.status, reply.headers["Content-Type"],
                       shape(reply.json) if json_answer else "", str(sent) if reply.status == 200 else "")
                if key not in heard and not reply.headers["Content-Encoding"]:
                    heard[key] = described.judge(method, path, sent, reply)
                    kinds.add((operation["operationId"], reply.status))
                if reply.status == 200:
                    answered.add(operation["operationId"])
            return reply

        names = {place.split(":")[0] for places in tested().values() for place in places} - LEFT_OUT
        sys.path.insert(0, str(HERE))
        Paper.call = call
        try:
            suite = unittest.TestSuite(unittest.defaultTestLoader.loadTestsFromModule(
                importlib.import_module(name.removesuffix(".py"))) for name in sorted(names))
            result = unittest.TextTestRunner(io.StringIO()).run(suite)
        finally:
            Paper.call = really
        self.assertEqual([f"{test}\n{text}" for test, text in result.failures + result.errors], [])
        wrong = {key[:4]: faults for key, faults in heard.items() if faults}
        for key, faults in list(wrong.items())[:20]:
            print(*key[:3], faults[:3])
        self.assertEqual(len(wrong), 0)
        service = {o["operationId"] for path in described.document["paths"].values() for o in path.values()
                   if o["tags"] == ["service"]}
        self.assertEqual(answered, service, "every endpoint was heard")
        print(f"{result.testsRun} tests, {len(heard)} different exchanges, {len(kinds)} kinds of answers")


if __name__ == "__main__":
    unittest.main()
