"""Many readers of the live view, slow ones, and those that send what is no request: it serves the others, and ends on Ctrl-C."""

import random
import re
import signal
import socket
import subprocess
import threading
import time
from pathlib import Path

from arena import Arena, finish
from attack import Attack
from verdict import Kind, Verdict, wrong

ADDRESS = re.compile(rb"http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/ ")


class Server:
    """bochner serve of a finished run, on a free port."""

    def __init__(self, arena: Arena):
        arena.take("models")
        self.errors = arena.path("errors").open("wb")
        self.process = arena.start(["serve", "models/fit", "--port", "0"], stdout=subprocess.PIPE, stderr=self.errors)
        line = self.process.stdout.readline()
        found = ADDRESS.search(line)
        if not found:
            raise RuntimeError(f"no address: {line!r}")
        self.port, self.token = int(found[1]), found[2].decode()

    def connect(self, timeout: float = 30) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout)

    def request(self, path: str, method: str = "GET") -> bytes:
        return f"{method} /{self.token}/{path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n\r\n".encode()

    def ask(self, data: bytes) -> bytes:
        with self.connect() as connection:
            connection.sendall(data)
            out = b""
            while piece := connection.recv(1 << 16):
                out += piece
            return out

    def memory(self) -> float:
        """Resident megabytes."""
        return int(re.search(r"VmRSS:\s*(\d+)", Path(f"/proc/{self.process.pid}/status").read_text())[1]) / 1024

    def end(self, arena: Arena) -> str:
        """What is wrong with its end; empty if nothing is."""
        self.process.send_signal(signal.SIGINT)
        began = time.monotonic()
        outcome = finish(self.process, arena.commands[-1], 20)
        self.process.stdout.close()
        self.errors.close()
        if outcome.timed_out or outcome.code != 0:
            return f"Ctrl-C: code {outcome.code}, signal {outcome.signal}, after {time.monotonic() - began:.1f} s"
        said = arena.path("errors").read_text(errors="replace")
        return f"it said {said[:300]}" if said else ""


def served(attack_it) -> "callable":
    def run(arena: Arena) -> Verdict:
        server = Server(arena)
        try:
            complaint = attack_it(server)
            good = server.ask(server.request("state.json"))
            if not complaint and not good.startswith(b"HTTP/1.1 200 "):
                complaint = f"afterwards: {good[:100]!r}"
        finally:
            ending = server.end(arena)
        complaint = complaint or ending
        return wrong(complaint) if complaint else Verdict(Kind.ACCEPTED)
    return run


def ask_many(server: Server, clients: int, each: int) -> str:
    """Complaints about answers of clients that ask one request after another, side by side."""
    complaints = []

    def client(number: int) -> None:
        for i in range(each):
            path = ("state.json", "latents.json", "", "decode.json?x=0.1,-0.2")[(number + i) % 4]
            try:
                answer = server.ask(server.request(path))
            except OSError as error:
                complaints.append(f"{path}: {error!r}")
                continue
            head, _, body = answer.partition(b"\r\n\r\n")
            length = re.search(rb"Content-Length: (\d+)", head)
            if not answer.startswith(b"HTTP/1.1 200 ") or int(length[1]) != len(body):
                complaints.append(f"{path}: {answer[:100]!r}")

    threads = [threading.Thread(target=client, args=(number,)) for number in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return f"{len(complaints)} of {clients * each}: {complaints[0]}" if complaints else ""


def load(requests: int):
    def attack_it(server: Server) -> str:
        ask_many(server, 1, 4)  # the model is loaded
        before, began = server.memory(), time.monotonic()
        complaint = ask_many(server, 8, requests // 8)
        seconds, grown = time.monotonic() - began, server.memory() - before
        print(f"    {requests} requests of 8 clients: {seconds:.1f} s, {grown:.1f} MB more")
        return complaint or (f"{grown:.0f} MB more" if grown > 50 else "") or (f"{seconds:.0f} s" if seconds > 300 else "")
    return attack_it


def slow(count: int):
    def attack_it(server: Server) -> str:
        slow_ones, over = [server.connect() for _ in range(count)], threading.Event()

        def drip() -> None:
            text = server.request("state.json")
            for i in range(600):
                for connection in slow_ones:
                    try:
                        connection.send(text[i % 10:i % 10 + 1])
                    except OSError:  # cut off
                        pass
                if over.wait(0.1):
                    return

        dripping = threading.Thread(target=drip)
        dripping.start()
        began = time.monotonic()
        complaint = ask_many(server, 8, 50)
        seconds = time.monotonic() - began
        print(f"    400 requests beside {count} slow clients: {seconds:.1f} s")
        time.sleep(max(0.0, 6 - seconds))
        over.set()
        dripping.join()
        alive = sum(not closed(connection) for connection in slow_ones)
        for connection in slow_ones:
            connection.close()
        return complaint or (f"{alive} slow clients are still connected" if alive else "") or (f"{seconds:.0f} s" if seconds > 60 else "")
    return attack_it


def closed(connection: socket.socket) -> bool:
    connection.settimeout(5)
    try:
        while connection.recv(1 << 12):
            pass
        return True
    except TimeoutError:
        return False
    except OSError:
        return True


def hostile(seed: int):
    def attack_it(server: Server) -> str:
        rng = random.Random(f"{seed} requests")
        good = server.request("state.json")
        host = f"Host: 127.0.0.1:{server.port}\r\n".encode()
        crafted = [
            b"", b"\r\n\r\n", b"\0" * 10000, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"GET" + b" " * 100000,
            b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 100000, b"GET /" + b"a" * 10_000_000 + b" HTTP/1.1\r\n\r\n",
            b"GET /../../etc/passwd HTTP/1.1\r\n" + host + b"\r\n",
            f"GET /{server.token}/../../../../etc/passwd HTTP/1.1\r\n".encode() + host + b"\r\n",
            f"GET /{server.token}/%2e%2e/config.toml HTTP/1.1\r\n".encode() + host + b"\r\n",
            good.replace(b"127.0.0.1", b"evil.example"), good.replace(server.token.encode(), b"0" * 32),
            server.request("", "POST")[:-2] + b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\na\r\n" * 10000,
            server.request("", "PUT")[:-2] + b"Content-Length: 9223372036854775808\r\n\r\n" + b"a" * 100000,
        ]
        for _ in range(300):
            data = bytearray(good)
            for _ in range(rng.randint(1, 6)):
                data[rng.randrange(len(data) - 4)] = rng.randrange(256)
            crafted.append(bytes(data))
        for data in crafted:
            try:
                with server.connect() as connection:
                    try:
                        connection.sendall(data)
                        connection.shutdown(socket.SHUT_WR)
                    except OSError:  # cut off while it still sent
                        pass
                    out = b""
                    try:
                        while piece := connection.recv(1 << 16):
                            out += piece
                    except ConnectionResetError:
                        pass
            except OSError as error:
                return f"{data[:80]!r}: {error!r}"
            if b"root:" in out or b"# bochner" in out:
                return f"{data[:80]!r} reads a file"
            if out.startswith(b"HTTP/1.1 200") and not data.startswith((b"GET /" + server.token.encode(), b"HEAD /")):
                return f"{data[:80]!r} is answered {out[:60]!r}"
        return ""
    return attack_it


def attacks(seed: int) -> list[Attack]:
    return [Attack("live view", "10,000 requests of eight clients", served(load(10_000))),
            Attack("live view", "100 slow clients", served(slow(100))),
            Attack("live view", "hostile requests", served(hostile(seed)))]
