"""An HTTP and WebSocket server between ordergate send and the paper brokerage. It forwards requests on kept-alive
connections and misbehaves on chosen ones.

behaviours maps a clientOrderId to what happens to its POST. The value is one behaviour, or a list with one for each
POST of that id (the last counts for all further ones). Ids that are not listed are forwarded normally. A behaviour
is (forwarded, how): whether the brokerage gets the POST (an Event: once it is set), and how the client is answered:
- "answer": normally
- "close": the connection is closed without an answer
- "reset": the same, with a TCP reset
- "unread": the connection is closed before the body is read
- "hang": never
- "cut": with the first part of an answer
- an Event: once it is set (with a 429 if the POST was not forwarded)
- bytes: with these bytes

gets maps the end of a path to the answer of a GET: bytes; an Event: the brokerage is asked once it is set; or
(Event,): the brokerage is asked at once, and its answer is passed on once the Event is set. dates are the Date
headers of answers, one after the other; the last counts for all further ones. change_frame is a function over what
the client sends on its stream; it must keep the length. greeting=False drops the first frame of the brokerage.
"""
import http.client
import json
import select
import socket
import struct
import threading

from paper import DEADLINE

# longer than tests wait for an event: an event that comes meanwhile did not wait for what is held back
HOLDS = DEADLINE * 2
PASS = (True, "answer")


def answer(status, body=b"", headers=()):
    lines = [f"HTTP/1.1 {status} X", f"Content-Length: {len(body)}", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def masked(data, change):
    """Returns the bytes that a client sent, with change() applied to the payload of the first frame. Frames of
    clients are masked."""
    at = 4 if data[1] & 127 == 126 else 2
    mask, text = data[at:at + 4], data[at + 4:]
    text = change(bytes(c ^ mask[i % 4] for i, c in enumerate(text)))
    return data[:at + 4] + bytes(c ^ mask[i % 4] for i, c in enumerate(text))


class FaultProxy:
    def __init__(self, paper, behaviours=None, streams=True, gets=None, change_frame=None, greeting=True, dates=()):
        self.port, self.behaviours, self.streams, self.gets = paper.port, behaviours or {}, streams, gets or {}
        self.dates = list(dates)
        # drop_frames: frames that the brokerage sends on streams are lost
        self.change_frame, self.greeting, self.drop_frames = change_frame, greeting, False
        self.forward_frames = threading.Event()  # while it is clear, frames of the brokerage wait
        self.forward_frames.set()
        self.posts, self.bodies, self.paths, self.busy = {}, {}, [], 0
        self.connection_of = {}  # clientOrderId -> number of the connection that brought its POST
        self.resets = []  # ids of POSTs that hang and whose connection the client reset
        self.changed = threading.Condition()
        self.stopped, self.sockets, self.threads = False, [], []
        self.client_streams = []  # the proxy's sockets of open streams, towards the client
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self._start_thread(self._accept)

    def _start_thread(self, what, *args):
        thread = threading.Thread(target=what, args=args, daemon=True)
        self.threads.append(thread)
        thread.start()
        return thread

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
        for thread in self.threads:
            thread.join()

    def stop(self):
        """Close the listener and every connection."""
        if self.stopped:
            return
        self.stopped = True
        self.forward_frames.set()
        if self.listener.fileno() >= 0:
            self.deafen()

    def wait_post(self, order_id, count=1):
        """Wait until count POSTs of the id have been read."""
        with self.changed:
            if not self.changed.wait_for(lambda: self.posts.get(order_id, 0) >= count, 60):
                raise AssertionError(f"no POST of {order_id}: {self.posts}, {self.paths[-10:]}")

    def count(self, end):
        """Returns how many requests have been read whose paths end with `end`."""
        with self.changed:
            return sum(path.endswith(end) for _, path in self.paths)

    def wait_path(self, end, count=1):
        """Wait until count requests have been read whose paths end with `end`."""
        with self.changed:
            if not self.changed.wait_for(lambda: sum(path.endswith(end) for _, path in self.paths) >= count, 60):
                raise AssertionError(f"no request of {end}: {self.paths[-10:]}")

    def wait_idle(self):
        """Wait until every request is answered. To be used while the sender is stopped, so that none is added."""
        with self.changed:
            while not self._is_idle():
                self.changed.wait(0.002)

    def _is_idle(self):
        try:
            return not self.busy and not select.select([self.listener, *(s for s in self.sockets if s.fileno() >= 0)],
                                                       [], [], 0)[0]
        except (OSError, ValueError):
            return False  # a socket was closed meanwhile

    def deafen(self):
        """Close every connection, and refuse new ones until listen() is called."""
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.close_all()

    def listen(self):
        self.listener = socket.create_server(("127.0.0.1", int(self.url.rsplit(":", 1)[1])))
        self._start_thread(self._accept)

    def close_all(self):
        """Close every connection. What was already written to a connection still arrives."""
        for s in self.sockets:
            try:
                s.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def _accept(self):
        while not self.stopped:
            try:
                s, _ = self.listener.accept()
            except OSError:
                return
            self.sockets.append(s)
            self._start_thread(self._serve, s)

    def _serve(self, s):
        s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        service = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        try:
            while s.recv(1, socket.MSG_PEEK):
                self._count_busy(1)
                try:
                    if not self._handle_request(s, service):
                        break
                finally:
                    self._count_busy(-1)
        except (OSError, http.client.HTTPException):
            pass
        service.close()
        s.close()

    def _count_busy(self, more):
        with self.changed:
            self.busy += more

    def _read_head(self, s):
        """Read the head of a request and leave its body in the socket."""
        least = 1
        while True:
            s.recv(least, socket.MSG_PEEK | socket.MSG_WAITALL)
            seen = s.recv(65536, socket.MSG_PEEK)
            end = seen.find(b"\r\n\r\n")
            if end >= 0:
                return s.recv(end + 4).decode()
            if len(seen) < least:
                return None  # the client closed the connection
            least = len(seen) + 1

    def _handle_request(self, s, service):
        head = self._read_head(s)
        if head is None:
            return False
        lines = head.split("\r\n")
        method, path, _ = lines[0].split(" ")
        headers = {n.lower(): v.strip() for n, v in (line.split(":", 1) for line in lines[1:] if line)}
        with self.changed:
            self.paths.append((method, path))
            self.changed.notify_all()
        if "upgrade" in headers:
            self._count_busy(-1)
            try:
                return self._stream(s, head)
            finally:
                self._count_busy(1)
        if method == "POST":
            return self._post(s, service, path, headers)
        for part, reply in self.gets.items():
            if path.endswith(part):
                if isinstance(reply, threading.Event):
                    reply.wait(HOLDS)
                    break
                if isinstance(reply, tuple):
                    told = self._forward(service, method, path, None, headers)
                    reply[0].wait(HOLDS)
                    s.sendall(told)
                    return True
                s.sendall(reply)
                return True
        s.sendall(self._forward(service, method, path, None, headers))
        return True

    def _forward(self, service, method, path, body, headers):
        service.request(method, path, body=body, headers={k: v for k, v in headers.items() if k != "host"})
        reply = service.getresponse()
        content = reply.read()
        kept = [f"{k}: {v}" for k, v in reply.getheaders() if k.lower() not in ("content-length", "connection",
                                                                                "transfer-encoding")]
        if self.dates:
            date = self.dates.pop(0) if len(self.dates) > 1 else self.dates[0]
            kept = [h for h in kept if not h.lower().startswith("date:")] + [f"Date: {date}"]
        return answer(reply.status, content, kept)

    def _behaviour(self, order_id, count):
        behaviours = self.behaviours.get(order_id, PASS)
        return behaviours[min(count, len(behaviours)) - 1] if isinstance(behaviours, list) else behaviours

    def _post(self, s, service, path, headers):
        length, body = int(headers["content-length"]), b""
        if "unread" in [self._behaviour(k, 1)[1] for k in self.behaviours]:
            peeked = s.recv(length, socket.MSG_PEEK | socket.MSG_WAITALL)
            order_id = json.loads(peeked)["clientOrderId"]
            if self._behaviour(order_id, 1)[1] == "unread":
                s.close()  # closing with unread bytes sends a reset
                self._record_post(order_id, peeked)
                return False
        while len(body) < length:
            self._count_busy(-1)  # the client may be stopped in the middle of its request
            s.recv(1, socket.MSG_PEEK)
            self._count_busy(1)
            more = s.recv(length - len(body))
            if not more:
                return False  # the client closed the connection within its request
            body += more
        order_id = json.loads(body)["clientOrderId"]
        count = self._record_post(order_id, body)
        self.connection_of[order_id] = self.sockets.index(s)
        reaches, how = self._behaviour(order_id, count)
        if isinstance(reaches, threading.Event):
            reaches.wait(HOLDS)
        reply = self._forward(service, "POST", path, body, headers) if reaches else b""
        if isinstance(how, threading.Event):
            how.wait(HOLDS)
            how = "answer"
            reply = reply or answer(429)
        if how == "answer":
            s.sendall(reply)
        elif isinstance(how, bytes):
            s.sendall(how)
        elif how == "cut":
            reply = reply or answer(200, b'{"clientOrderId":"x","orderStatus":"New"}')
            s.sendall(reply[:-10])
            s.close()
        elif how == "reset":
            s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            s.close()
        elif how == "hang":
            self._hang(s, order_id)
        return how == "answer" or isinstance(how, bytes)

    def _hang(self, s, order_id):
        try:
            s.recv(1)
        except ConnectionResetError:
            self.resets.append(order_id)

    def _record_post(self, order_id, body):
        with self.changed:
            self.posts[order_id] = self.posts.get(order_id, 0) + 1
            self.bodies.setdefault(order_id, []).append(body)
            self.changed.notify_all()
            return self.posts[order_id]

    def _stream(self, s, head):
        if not self.streams:
            s.sendall(answer(404))
            return False
        self.client_streams.append(s)
        other = socket.create_connection(("127.0.0.1", self.port))
        self.sockets.append(other)
        other.sendall(head.encode())
        if not self.greeting:
            seen = b""
            while b"PENDING_AUTH" not in seen:
                seen += other.recv(65536)
            s.sendall(seen[:seen.index(b"\r\n\r\n") + 4])
        back = self._start_thread(self._pump, other, s, None, True)
        self._pump(s, other, self.change_frame)
        back.join()
        other.close()
        return False

    def send_frame(self, message):
        """Send every client a frame that the brokerage did not send."""
        data = json.dumps(message).encode()
        size = struct.pack("!BB", 0x81, len(data)) if len(data) < 126 else struct.pack("!BBH", 0x81, 126, len(data))
        for s in self.client_streams:
            try:
                s.sendall(size + data)
            except OSError:
                pass  # the stream has ended

    def _pump(self, a, b, change=None, down=False):
        try:
            while data := a.recv(65536):
                if down:
                    self.forward_frames.wait()
                if not (self.drop_frames and down):
                    b.sendall(masked(data, change) if change else data)
        except OSError:
            pass
        try:
            b.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
