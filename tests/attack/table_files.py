"""Tables that are no files: folders, devices, pipes, links, names."""

import os
import socket
import threading
from pathlib import Path

import tables
from hostile import ANY, REFUSE, Hostile


def folder(path: Path) -> None:
    path.mkdir()


def fifo(path: Path) -> None:
    os.mkfifo(path)


def fed_fifo(content: bytes, path: Path) -> None:
    """A pipe that somebody writes a good table into, as `<(zcat table.gz)` does."""
    os.mkfifo(path)

    def feed():
        try:
            with open(path, "wb") as pipe:
                pipe.write(content)
        except OSError:
            pass

    threading.Thread(target=feed, daemon=True).start()


def unix_socket(path: Path) -> None:
    folder_fd = os.open(path.parent, os.O_RDONLY)  # names of sockets are short
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(f"/proc/self/fd/{folder_fd}/{path.name}")
    os.close(folder_fd)


def loop(path: Path) -> None:
    path.symlink_to(path.name)


def dangling(path: Path) -> None:
    path.symlink_to("nowhere.csv")


def long_chain(path: Path) -> None:
    names = [path, *(path.parent / f"link{n}" for n in range(60))]
    for here, there in zip(names, names[1:]):
        here.symlink_to(there.name)
    names[-1].write_bytes(b"id,x\na,1\n")


def named(spec: str):
    return lambda path: spec


def devices() -> list[Hostile]:
    def hostile(name, make, expect=REFUSE, extension="csv"):
        return Hostile(name, make, extension, expect)

    out = [hostile("a folder", folder), hostile("a folder called .h5", folder, extension="h5"),
           hostile("a folder called .npz", folder, extension="npz"), hostile("a folder called .npy", folder,
                                                                             extension="npy"),
           hostile("a link to itself", loop), hostile("a link to nowhere", dangling),
           hostile("a chain of 60 links", long_chain)]
    for device in ("/dev/zero", "/dev/null", "/dev/full", "/dev/urandom", "/dev/tty", "/proc/self/mem", "/proc/self/maps",
                   "/proc/kmsg", "/etc/shadow", "/", ".", "..", "/proc/self/fd/0", "/dev/stdin", "/sys/kernel/notes"):
        out.append(hostile(f"the file {device}", named(device)))
    for part in ("/dev/zero:/t", "/dev/urandom:x", "t.h5:/t", "t.npz:t", ":", "::", ":t", "t:", "", " ", "\x1b[2J.csv",
                 "\u202evsc.t", "x" * 300 + ".csv", "x/" * 3000 + "t.csv", "nowhere/t.csv", "a.csv/t.csv", "a.csv:c0",
                 "a.csv:nothing", "http://localhost/t.csv", "~/t.csv", "*.csv", "a.csv\nb.csv"):
        out.append(hostile(f"the name {part[:20]!r}", named(part), ANY))
    return out


def pipes(table, names, ids) -> list[Hostile]:
    good = tables.csv_text(table, names, ids)
    return [Hostile("a pipe with a table", lambda path: fed_fifo(good, path), "csv", ANY),
            Hostile("a pipe with a gzipped table", lambda path: fed_fifo(tables.gz_bytes(good), path), "csv.gz", ANY),
            Hostile("a pipe with an array", lambda path: fed_fifo(tables.npy_bytes(table), path), "npy", ANY),
            Hostile("a pipe with half an array", lambda path: fed_fifo(tables.npy_bytes(table)[:300], path), "npy", REFUSE),
            Hostile("a socket", unix_socket, "csv", REFUSE)]
