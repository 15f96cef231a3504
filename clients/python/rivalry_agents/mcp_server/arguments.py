"""The arguments of tools and prompts: what they do not have or cannot take is refused in one line, in words of ours."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from types import new_class
from typing import Annotated, Any, Final

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.prompts import Prompt
from mcp.server.mcpserver.tools import Tool
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, ToolAnnotations
from pydantic import BeforeValidator, ValidationError

from rivalry_engine.prompt import shown

KINDS: Final = {
    "string": ("a text", "texts"),
    "integer": ("a whole number", "whole numbers"),
    "number": ("a number", "numbers"),
    "object": ("an object", "objects"),
}
"""The types of JSON in words, one and many."""
NAMED_MOST: Final = 5
SHOWN_MOST: Final = 80


def _no_boolean(value: object) -> object:
    if isinstance(value, bool):
        raise ValueError("a boolean is no number")
    return value


NO_BOOLEAN: Final = BeforeValidator(_no_boolean)
"""What a number's type is annotated with, after its bounds."""
Whole = Annotated[int, NO_BOOLEAN]
Number = Annotated[float, NO_BOOLEAN]


class CheckedTool(Tool):
    """A tool that says in words of its own why it does not take its arguments."""

    @classmethod
    def of(cls, called: Callable[..., Awaitable[str]], hints: ToolAnnotations) -> CheckedTool:
        """The tool that calls ``called``, whose arguments are its own, with no others."""
        tool = cls.from_function(called, annotations=hints, structured_output=False)
        assert isinstance(tool, CheckedTool)
        taken = tool.fn_metadata.arg_model
        tool.fn_metadata.arg_model = new_class(taken.__name__, (taken,), {"extra": "forbid"})
        tool.parameters = tool.fn_metadata.arg_model.model_json_schema(by_alias=True)
        return tool

    async def run(self, arguments: dict[str, Any], context: Context[Any, Any], convert_result: bool = False) -> Any:
        """What the tool returns; raises ToolError."""
        try:
            self.fn_metadata.validate_arguments(arguments)
        except ValidationError as error:
            wrong = {str(each["loc"][0]): None for each in error.errors(include_url=False, include_input=False)}
            why = refusal(tuple(wrong), arguments, self.parameters["properties"])
            raise ToolError(f"Error executing tool {self.name}: {why}") from error
        return await super().run(arguments, context, convert_result)


class CheckedPrompt(Prompt):
    """A prompt that says in words of its own why it does not take its arguments."""

    async def render(self, arguments: dict[str, Any] | None, context: Context[Any, Any]) -> Any:
        """The messages; raises MCPError."""
        given, taken = arguments or {}, self.arguments or []
        declared = {each.name: {"type": "string"} for each in taken}
        unknown = [name for name in given if name not in declared]
        missing = [each.name for each in taken if each.required and each.name not in given]
        if wrong := (*unknown, *missing):
            raise MCPError(INVALID_PARAMS, f"prompt {self.name}: {refusal(wrong, given, declared)}")
        return await super().render(arguments, context)


def refusal(wrong: tuple[str, ...], given: Mapping[str, Any], declared: Mapping[str, Any]) -> str:
    """Why the arguments ``wrong`` are not taken; ``declared`` has the JSON schema of each that the tool has."""
    if unknown := [name for name in wrong if name not in declared]:
        named = ", ".join(shown(name) for name in unknown[:NAMED_MOST])
        expected = f"none but {', '.join(declared)}" if declared else "none at all"
        return f"there is no argument {named}; expected {expected}"
    return "; ".join(
        f"{name} is {_shown(given[name]) if name in given else 'missing'}; expected {_wording(declared[name])}"
        for name in wrong
    )


def _wording(schema: Mapping[str, Any]) -> str:
    """What a schema allows, in words."""
    kind = next((each for each in schema.get("anyOf", ()) if each.get("type") != "null"), schema)
    if kind.get("type") == "array":
        return f"a list of {KINDS[kind['items']['type']][1]}"
    bounds = f" from {kind['minimum']:g} to {kind['maximum']:g}" if {"minimum", "maximum"} <= kind.keys() else ""
    return f"{KINDS[kind['type']][0]}{bounds}"


def _shown(value: object) -> str:
    """An argument as it stands in the call, cut where it is long."""
    try:
        text = json.dumps(value)
    except (ValueError, RecursionError):  # a number of too many digits
        return shown(value)
    return text if len(text) <= SHOWN_MOST else text[:SHOWN_MOST] + "…"
