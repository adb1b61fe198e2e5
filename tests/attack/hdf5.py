"""HDF5 files through the library that the program links, by ctypes: also those that h5py would not write.

Spaces, types and property lists are left open until the process ends: files here are few and small.
"""

import ctypes
import ctypes.util
import glob
import math
import struct
from contextlib import contextmanager
from ctypes import c_double, c_int, c_int64, c_size_t, c_uint, c_uint64


def load():
    names = [ctypes.util.find_library("hdf5_serial"), ctypes.util.find_library("hdf5"),
             *glob.glob("/usr/lib/*/libhdf5_serial.so.*"), *glob.glob("/usr/lib/*/libhdf5.so.*")]
    for name in filter(None, names):
        try:
            return ctypes.PyDLL(name)  # PyDLL keeps the interpreter lock: the library is not safe for threads
        except OSError:
            continue
    raise RuntimeError("libhdf5 was not found; tools/setup.sh installs it")


lib = load()
lib.H5open()
UNLIMITED = 0xFFFFFFFFFFFFFFFF


def constant(name: str) -> int:
    return c_int64.in_dll(lib, name).value


F64, F32, I64, I32, I8 = (constant(f"H5T_{n}_g") for n in
                          ("IEEE_F64LE", "IEEE_F32LE", "STD_I64LE", "STD_I32LE", "STD_I8LE"))
C_TEXT = constant("H5T_C_S1_g")
DATASET_CREATE, FILE_CREATE, FILE_ACCESS = (constant(f"H5P_CLS_{n}_ID_g") for n in
                                            ("DATASET_CREATE", "FILE_CREATE", "FILE_ACCESS"))
LETTER = {F64: "d", F32: "f", I64: "q", I32: "i", I8: "b"}


def call(function: str, *arguments, result=c_int64) -> int:
    f = getattr(lib, function)
    f.restype = result
    answer = f(*arguments)
    if answer is not None and answer < 0:
        raise RuntimeError(f"{function} failed")
    return answer


def quiet() -> None:
    lib.H5Eset_auto2(c_int64(0), None, None)


quiet()


def hid(value: int) -> c_int64:
    return c_int64(value)


def dims(shape) -> ctypes.Array:
    return (c_uint64 * max(1, len(shape)))(*shape)


def closing_all() -> int:
    """File access that closes groups and datasets with the file: else it would stay open, and its bytes in memory."""
    access = call("H5Pcreate", hid(FILE_ACCESS))
    call("H5Pset_fclose_degree", hid(access), c_int(3), result=c_int)
    return access


@contextmanager
def new_file(path, userblock: int = 0):
    properties = call("H5Pcreate", hid(FILE_CREATE))
    if userblock:
        call("H5Pset_userblock", hid(properties), c_uint64(userblock), result=c_int)
    file = call("H5Fcreate", str(path).encode(), c_uint(2), hid(properties), hid(closing_all()))
    try:
        yield file
    finally:
        call("H5Fclose", hid(file), result=c_int)


@contextmanager
def edit(path):
    file = call("H5Fopen", str(path).encode(), c_uint(1), hid(closing_all()))
    try:
        yield file
    finally:
        call("H5Fclose", hid(file), result=c_int)


def group(parent: int, name: str) -> int:
    return call("H5Gcreate2", hid(parent), name.encode(), hid(0), hid(0), hid(0))


def space(shape, most=None) -> int:
    if shape == ():
        return call("H5Screate", c_int(0))
    return call("H5Screate_simple", c_int(len(shape)), dims(shape), dims(most) if most else None)


def text_type(width: int) -> int:
    kind = call("H5Tcopy", hid(C_TEXT))
    call("H5Tset_size", hid(kind), c_size_t(width), result=c_int)
    return kind


def dataset(parent: int, name: str, shape, kind: int = F64, *, most=None, chunk=None, deflate=None, external=None,
            fill=None, setup=None) -> int:
    properties = call("H5Pcreate", hid(DATASET_CREATE))
    if chunk:
        call("H5Pset_chunk", hid(properties), c_int(len(chunk)), dims(chunk), result=c_int)
    if deflate is not None:
        call("H5Pset_deflate", hid(properties), c_uint(deflate), result=c_int)
    if external:
        call("H5Pset_external", hid(properties), external[0].encode(), c_int64(0), c_uint64(external[1]), result=c_int)
    if fill is not None:
        call("H5Pset_fill_value", hid(properties), hid(F64), ctypes.byref(c_double(fill)), result=c_int)
    if setup:
        setup(properties)
    return call("H5Dcreate2", hid(parent), name.encode(), hid(kind), hid(space(shape, most)), hid(0), hid(properties),
                hid(0))


def write(data: int, kind: int, values) -> None:
    raw = struct.pack(f"<{len(values)}{LETTER[kind]}", *values)
    call("H5Dwrite", hid(data), hid(kind), hid(0), hid(0), hid(0), raw, result=c_int)


def put(parent: int, name: str, table, kind: int = F64, **how) -> None:
    """A two-dimensional dataset with its numbers."""
    values = [math.nan if cell is None else cell for row in table for cell in row]
    data = dataset(parent, name, (len(table), len(table[0])), kind, **how)
    write(data, kind, values if kind in (F64, F32) else [int(v) for v in values])
    call("H5Dclose", hid(data), result=c_int)


def put_texts(parent: int, name: str, texts: list[bytes]) -> None:
    width = max(1, *(len(text) for text in texts))
    kind = text_type(width)
    data = dataset(parent, name, (len(texts),), kind)
    call("H5Dwrite", hid(data), hid(kind), hid(0), hid(0), hid(0), b"".join(t.ljust(width, b"\0") for t in texts),
         result=c_int)
    call("H5Dclose", hid(data), result=c_int)


def attribute(parent: int, name: str, text: bytes) -> None:
    kind = text_type(max(1, len(text)))
    made = call("H5Acreate2", hid(parent), name.encode(), hid(kind), hid(space(())), hid(0), hid(0))
    call("H5Awrite", hid(made), hid(kind), text or b"\0", result=c_int)
    call("H5Aclose", hid(made), result=c_int)


def unlink(parent: int, name: str) -> None:
    call("H5Ldelete", hid(parent), name.encode(), hid(0), result=c_int)


def children(parent: int) -> list[tuple[str, bool]]:
    """Names in a group, and whether each is a dataset."""
    count = c_uint64()
    call("H5Gget_num_objs", hid(parent), ctypes.byref(count), result=c_int)
    out = []
    for index in range(count.value):
        buffer = ctypes.create_string_buffer(1024)
        call("H5Gget_objname_by_idx", hid(parent), c_uint64(index), buffer, c_size_t(1024))
        out.append((buffer.value.decode(), call("H5Gget_objtype_by_idx", hid(parent), c_uint64(index), result=c_int) == 1))
    return out


def open_group(parent: int, name: str) -> int:
    return call("H5Gopen2", hid(parent), name.encode(), hid(0))


def walk(parent: int, prefix: str = "") -> list[tuple[str, bool]]:
    """Every path below a group, and whether it is a dataset."""
    out = []
    for name, is_dataset in children(parent):
        path = f"{prefix}/{name}"
        out.append((path, is_dataset))
        if not is_dataset:
            child = open_group(parent, name)
            out += walk(child, path)
            call("H5Gclose", hid(child), result=c_int)
    return out


class Info:
    """Class, width, shape and place in the file of a dataset."""

    INTEGER, FLOAT, TEXT = 0, 1, 3

    def __init__(self, parent: int, path: str):
        data = call("H5Dopen2", hid(parent), path.encode(), hid(0))
        kind = call("H5Dget_type", hid(data))
        extent = call("H5Dget_space", hid(data))
        self.kind = call("H5Tget_class", hid(kind), result=c_int)
        self.width = call("H5Tget_size", hid(kind), result=c_size_t)
        rank = call("H5Sget_simple_extent_ndims", hid(extent), result=c_int)
        size = (c_uint64 * max(1, rank))()
        call("H5Sget_simple_extent_dims", hid(extent), size, None, result=c_int)
        self.shape = tuple(size[:rank])
        lib.H5Dget_offset.restype = c_uint64
        self.offset = lib.H5Dget_offset(hid(data))  # UNLIMITED where nothing is stored; from the front of the file
        for closing, what in (("H5Sclose", extent), ("H5Tclose", kind), ("H5Dclose", data)):
            call(closing, hid(what), result=c_int)

    @property
    def count(self) -> int:
        return math.prod(self.shape)

