"""The page: its sections in order."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from rivalry_report import figures, headline
from rivalry_report.html import sections
from rivalry_report.html.standing import named
from rivalry_report.html.style import css
from rivalry_report.names import shown

if TYPE_CHECKING:
    from rivalry_report.report import Report

POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""A browser that reads it loads nothing and runs nothing, whatever is in the page."""


def page(report: Report) -> str:
    """The report as one HTML file."""
    title = escape(shown(report.facts.title))
    parts = [(name, text, body) for name, text, body in sections.all_of(report) if body]
    links = "".join(f'<a href="#{name}">{escape(text)}</a>' for name, text, _ in parts)
    body = "".join(f'<section id="{name}"><h2>{escape(text)}</h2>{inner}</section>\n' for name, text, inner in parts)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<meta name="referrer" content="no-referrer">\n'
        f"<title>{title}</title>\n<style>\n{css()}</style>\n</head>\n<body>\n<main>\n"
        f"<header>{_header(report, title)}<nav>{links}</nav></header>\n{body}"
        "<footer>Made by rivalry from the tournament’s log. This file is whole: it loads nothing.</footer>\n"
        "</main>\n</body>\n</html>\n"
    )


def _header(report: Report, title: str) -> str:
    facts, evaluation = report.facts, report.evaluation
    told = " ".join(
        "".join(named(piece) if name else escape(piece) for piece, name in sentence)
        for sentence in headline.sentences(evaluation)
    )
    key = [
        (shown(facts.game), "game"),
        (str(facts.seats), "seats"),
        (str(len(facts.entrants)), "bots"),
        (f"{evaluation.matches:,}", "matches counted"),
        (f"{evaluation.blocks:,}", "blocks, one a seed"),
        (shown(facts.time), "time control"),
    ]
    tiles = "".join(f"<li><b>{escape(value)}</b><span>{escape(name)}</span></li>" for value, name in key)
    return (
        f'<p class="kicker">Tournament report · {escape(shown(facts.kind))}</p><h1>{title}</h1>'
        f'<p class="headline">{told}</p>{_notices(report)}<ul class="figures">{tiles}</ul>'
    )


def _notices(report: Report) -> str:
    facts = report.facts
    notices = [f"{note[:1].upper()}{note[1:]}." for note in report.evaluation.notes]
    if not facts.ended:
        done = f"{facts.blocks_whole:,} of {figures.count(facts.blocks_planned, 'block')} of the schedule"
        notices.insert(0, f"This tournament has not ended: {done} are played. The figures will change.")
    if facts.excluded:
        verb = "is" if len(facts.excluded) == 1 else "are"
        left = f"{figures.count(len(facts.excluded), 'block')} {verb} left out"
        notices.append(f"{left}, by the rule that was written before the first match.")
    return "".join(f'<p class="notice">{escape(shown(notice))}</p>' for notice in notices)
