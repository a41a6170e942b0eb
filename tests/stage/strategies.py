"""Hypothesis strategies out of the messages' own type annotations, limits included."""

from typing import Any

import msgspec
from hypothesis import strategies as st
from msgspec import inspect

SMALLEST = -(2**63)
LARGEST = 2**64 - 1

plain = st.recursive(
    st.none() | st.booleans() | st.integers(SMALLEST, LARGEST) | st.text() | st.binary(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)
"""Any value that msgpack carries unchanged (floats aside, which no message has)."""


def values_of(kind: Any) -> st.SearchStrategy[Any]:
    """Every value that `kind` (a type, Struct or union of those that messages use) allows."""
    return _values(inspect.type_info(kind))


def _values(info: inspect.Type) -> st.SearchStrategy[Any]:
    match info:
        case inspect.AnyType():
            return plain
        case inspect.RawType():
            return plain.map(msgspec.msgpack.encode).map(msgspec.Raw)
        case inspect.NoneType():
            return st.none()
        case inspect.BoolType():
            return st.booleans()
        case inspect.IntType():
            return st.integers(_least(info), _most(info))
        case inspect.StrType(max_length=most):
            return st.text(max_size=20 if most is None else most)
        case inspect.BytesType(min_length=least, max_length=most):
            return st.binary(min_size=least or 0, max_size=20 if most is None else most)
        case inspect.LiteralType(values=values):
            return st.sampled_from(values)
        case inspect.EnumType(cls=cls):
            return st.sampled_from(cls)
        case inspect.UnionType(types=types):
            return st.one_of([_values(each) for each in types])
        case inspect.ListType(item_type=item, max_length=most):
            return st.lists(_values(item), max_size=min(4, most or 4))
        case inspect.VarTupleType(item_type=item):
            return st.lists(_values(item), max_size=4).map(tuple)
        case inspect.DictType(key_type=key, value_type=value):
            return st.dictionaries(_values(key), _values(value), max_size=4)
        case inspect.StructType(cls=cls, fields=fields):
            return _structs(cls, fields)
    raise NotImplementedError(f"no strategy for {info}")


def _least(info: inspect.IntType) -> int:
    above = SMALLEST if info.gt is None else info.gt + 1
    return above if info.ge is None else max(above, info.ge)


def _most(info: inspect.IntType) -> int:
    below = LARGEST if info.lt is None else info.lt - 1
    return below if info.le is None else min(below, info.le)


def _structs(
    cls: type[msgspec.Struct], fields: tuple[inspect.Field, ...]
) -> st.SearchStrategy[msgspec.Struct]:
    return st.builds(cls, **{field.name: _values(field.type) for field in fields})
