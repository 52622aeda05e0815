"""A kept-alive HTTP client for tests that make a hundred thousand calls. It parses only what the tests use.

It relies on the form in which the paper brokerage answers: a Content-Length and a body of that length.
"""
import json
import socket

import paper


class FastClient:
    def __init__(self, port, keys):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=paper.DEADLINE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.head = (" HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nSVC-API-KEY-ID: %s\r\nSVC-API-SECRET-KEY: %s\r\n"
                     "Content-Type: application/json\r\nContent-Length: " % (port, *keys)).encode()

    def call(self, method, path, body=b""):
        """Returns (status, content type, body)."""
        self.socket.sendall(b"%s %s%s%d\r\n\r\n%s" % (method, path, self.head, len(body), body))
        data = self.more()
        while (end := data.find(b"\r\n\r\n")) < 0:
            data += self.more()
        head, data = data[:end].lower() + b"\r\n", data[end + 4:]
        length = int(header(head, b"content-length") or 0)
        while len(data) < length:
            data += self.more()
        if len(data) > length:
            raise AssertionError("more than was announced: %r" % data)
        return int(head[9:12]), header(head, b"content-type"), data

    def more(self):
        data = self.socket.recv(1 << 18)
        if not data:
            raise AssertionError("the connection was closed")
        return data

    def get(self, path):
        status, _, body = self.call(b"GET", b"/v1/api/" + path)
        if status != 200:
            raise AssertionError("GET %r: %d %r" % (path, status, body))
        return body

    def put(self, path, document):
        status, _, body = self.call(b"PUT", b"/paper/" + path.encode(), json.dumps(document).encode())
        if status != 200:
            raise AssertionError("PUT %s %s: %d %r" % (path, document, status, body))

    def close(self):
        self.socket.close()


def header(head, name):
    at = head.find(b"\r\n" + name + b":")
    return head[at + len(name) + 3:head.index(b"\r\n", at + 2)].strip().decode() if at >= 0 else ""
