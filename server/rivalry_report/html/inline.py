"""Plots within a page: an SVG without what only a file needs, in the page's colours and fonts."""

from __future__ import annotations

import re
from html import escape
from typing import Final
from xml.etree import ElementTree

from rivalry_report.plots.colours import LIGHT

LINK: Final = "{http://www.w3.org/1999/xlink}href"
DROPPED: Final = ("metadata", "style", "title")
"""Elements that are left out: what matplotlib says of itself, and rules that would hold for the whole page."""
VARIABLES: Final = {colour: f"var(--{name})" for name, colour in LIGHT.items()}
MOST: Final = 1.4
"""A plot grows to so many times its size where the page is wide."""
LEAST: Final = 0.65
"""A plot is made smaller to so much of its size where the page is narrow; then it is moved with the finger."""
COLOUR: Final = re.compile(r"#[0-9a-f]{6}")
URL: Final = re.compile(r"url\(#")


def inlined(svg: str, name: str, title: str) -> str:
    """The SVG of a plot as part of a page.

    ``name`` keeps its ids apart from those of other plots; ``title`` is what somebody hears who does not see it.
    """
    root = ElementTree.fromstring(svg)
    _, _, wide, high = root.attrib["viewBox"].split()
    root.attrib.clear()
    root.attrib.update({"class": "drawn", "viewBox": f"0 0 {wide} {high}", "role": "img", "aria-label": title})
    pixels = float(wide) * 96 / 72
    root.attrib["style"] = f"width: 100%; max-width: {MOST * pixels:.0f}px; min-width: {LEAST * pixels:.0f}px"
    parts: list[str] = []
    _write(root, name, parts)
    return "".join(parts)


def _write(element: ElementTree.Element, name: str, parts: list[str]) -> None:
    tag = _local(element.tag)
    if tag in DROPPED or (tag == "defs" and all(_local(child.tag) in DROPPED for child in element)):
        return
    attributes = "".join(f' {key}="{escape(value)}"' for key, value in _attributes(element, name))
    parts.append(f"<{tag}{attributes}>")
    text = element.text or ""
    parts.append(escape(text if tag == "text" else text.strip(), quote=False))
    for child in element:
        _write(child, name, parts)
    parts.append(f"</{tag}>")


def _attributes(element: ElementTree.Element, name: str) -> list[tuple[str, str]]:
    found = []
    for key, value in element.attrib.items():
        match key:
            case "id":
                found.append(("id", f"{name}-{value}"))
            case _ if key == LINK:
                found.append(("href", f"#{name}-{value.removeprefix('#')}"))
            case "style":
                found.append(("style", _styled(value)))
            case _:
                found.append((_local(key), URL.sub(f"url(#{name}-", value)))
    return found


def _styled(style: str) -> str:
    """The same style with the page's colours and without a font of its own."""
    kept = [each for each in style.split("; ") if not each.startswith("font-family")]
    return COLOUR.sub(lambda found: VARIABLES.get(found[0], found[0]), "; ".join(kept))


def _local(tag: str) -> str:
    return tag.rpartition("}")[2]
