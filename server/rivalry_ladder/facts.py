"""Messages of the ladder as JSON that programs read: every field, enums in small letters, absent ones null."""

from __future__ import annotations

from typing import Any

from google.protobuf.message import Message


def facts(message: Message) -> dict[str, Any]:
    """A message as an object with the names of the schema; ``…_json`` fields are read."""
    return {_key(field): _value(message, field) for field in message.DESCRIPTOR.fields}


def _key(field: Any) -> str:
    return str(field.name).removesuffix("_json")


def _value(message: Message, field: Any) -> Any:
    value = getattr(message, field.name)
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        return dict(sorted(value.items()))
    if field.is_repeated:
        return [_single(each, field) for each in value]
    if field.has_presence and not message.HasField(field.name):
        return None
    return _single(value, field)


def _single(value: Any, field: Any) -> Any:
    if isinstance(value, Message):
        return facts(value)
    if field.enum_type is not None:
        prefix = f"{field.enum_type.name}_".upper()
        known = field.enum_type.values_by_number.get(value)
        return value if known is None else known.name.removeprefix(prefix).lower().replace("_", "-")
    if field.name.endswith("_json"):
        import json

        return json.loads(value)
    return value
