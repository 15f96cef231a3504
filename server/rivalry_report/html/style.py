"""The page's look: light and dark, on a phone, and on paper."""

from __future__ import annotations

from typing import Final

from rivalry_report.plots.colours import DARK, LIGHT

PAGE_LIGHT: Final = {
    "page": "#f3f5f8",
    "accent": "#0a5fa8",
    "code": "#f0f2f6",
    "warm": "#fff4e5",
    "warm-ink": "#7a4300",
}
PAGE_DARK: Final = {"page": "#0f1217", "accent": "#6cb4f5", "code": "#1f242d", "warm": "#332412", "warm-ink": "#f3c48d"}

RULES: Final = """
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; }
main { max-width: 66rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
h1 { font-size: clamp(1.7rem, 5vw, 2.5rem); line-height: 1.15; margin: .2rem 0 1rem; letter-spacing: -.015em;
  overflow-wrap: anywhere; }
h2 { font-size: 1.3rem; line-height: 1.3; margin: 0 0 .75rem; letter-spacing: -.01em; }
h3 { font-size: 1rem; margin: 1.4rem 0 .4rem; }
p { margin: .5rem 0; max-width: 46rem; }
a { color: var(--accent); }
bdi { overflow-wrap: anywhere; }
.kicker { color: var(--soft); font-size: .85rem; letter-spacing: .02em; margin: 0; }
.headline { font-size: clamp(1.05rem, 2.6vw, 1.25rem); line-height: 1.5; margin: 0 0 1.25rem; max-width: 50rem; }
.headline bdi { font-weight: 650; }
.figures { display: flex; flex-wrap: wrap; gap: .6rem; margin: 0 0 .25rem; padding: 0; list-style: none; }
.figures li { background: var(--paper); border: 1px solid var(--grid); border-radius: .6rem; padding: .45rem .9rem;
  min-width: 6rem; max-width: 100%; }
.figures b { display: block; font-size: 1.15rem; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.figures span { color: var(--soft); font-size: .82rem; }
.notice { background: var(--warm); color: var(--warm-ink); border-radius: .6rem; padding: .7rem 1rem; margin: 1rem 0; }
nav { margin: 1.25rem 0 0; font-size: .92rem; display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; }
section { background: var(--paper); border: 1px solid var(--grid); border-radius: .9rem; padding: 1.4rem 1.5rem;
  margin: 1.25rem 0 0; }
.scroll { overflow-x: auto; -webkit-overflow-scrolling: touch; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: .94rem; }
th { text-align: left; color: var(--soft); font-weight: 500; font-size: .82rem; vertical-align: bottom; }
th, td { padding: .42rem .5rem; border-bottom: 1px solid var(--grid); }
tr:last-child td { border-bottom: 0; }
td { vertical-align: middle; }
.n { text-align: right; white-space: nowrap; }
.place { font-weight: 650; width: 2.2rem; }
.name { font-weight: 550; min-width: 9rem; max-width: 15rem; }
.span { color: var(--soft); font-size: .82rem; white-space: nowrap; }
.bars { min-width: 13rem; width: 32%; padding-left: 1rem; }
.barred { display: flex; align-items: center; gap: .9rem; }
.bar { display: block; flex: 1 1 0; width: 0; min-width: 6rem; height: 1.25rem; overflow: visible; }
.barred .span { flex: 0 0 7rem; }
.bar .zero { stroke: var(--grid); stroke-width: 1.5; }
.bar .reach { stroke: var(--whisker); stroke-width: 5; stroke-linecap: round; }
.bar .at { fill: var(--point); stroke: var(--paper); stroke-width: 1.5; }
figure { margin: 0; }
figcaption { color: var(--soft); font-size: .93rem; margin: .75rem 0 0; max-width: 46rem; }
figcaption b { color: var(--ink); font-weight: 600; }
figure + .scroll { margin-top: 1rem; }
.drawn { display: block; max-width: 100%; height: auto; }
.drawn * { stroke-linejoin: round; stroke-linecap: butt; }
dl { display: grid; grid-template-columns: minmax(7rem, 12rem) 1fr; gap: .35rem 1rem; margin: .5rem 0; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
ul { margin: .4rem 0; padding-left: 1.2rem; max-width: 46rem; }
li { margin: .2rem 0; }
code, pre { font: .86rem/1.55 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
code { overflow-wrap: anywhere; }
pre { background: var(--code); border-radius: .6rem; padding: .8rem 1rem; overflow-x: auto; margin: .6rem 0; }
details { margin: .8rem 0; }
summary { cursor: pointer; color: var(--accent); }
footer { color: var(--soft); font-size: .85rem; margin: 1.5rem .25rem 0; }
@media (max-width: 44rem) {
  main { padding: 1.5rem .75rem 3rem; }
  section { padding: 1.1rem 1rem; border-radius: .7rem; }
  .wide { display: none; }
  .bars { min-width: 7rem; padding-left: .4rem; padding-right: .4rem; }
  th, td { padding: .42rem .35rem; }
  .name { min-width: 6.5rem; }
  .barred { flex-direction: column; align-items: stretch; gap: 0; }
  .bar { flex: 0 0 1.25rem; width: 100%; }
  .barred .span { flex: none; }
  dl { grid-template-columns: 1fr; gap: .05rem; }
  dd { margin-bottom: .5rem; }
}
@media (max-width: 38rem) {
  .bars { display: none; }
  .name { min-width: 5rem; }
}
@media print {
  @page { margin: 14mm; }
  body { font-size: 10.5pt; background: none; }
  .figures li { border-color: var(--even); }
  main { max-width: none; padding: 0; }
  section { border: 0; padding: 0; margin: 1.2rem 0 0; }
  figure, tr, .figures { break-inside: avoid; }
  h2 { break-after: avoid; }
  nav { display: none; }
  .scroll { overflow: visible; }
  .drawn { min-width: 0 !important; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
"""


def css() -> str:
    """The style sheet."""
    light, dark = _variables({**LIGHT, **PAGE_LIGHT}), _variables({**DARK, **PAGE_DARK})
    return (
        f":root {{ color-scheme: light; {light} }}\n"
        f"@media screen and (prefers-color-scheme: dark) {{ :root {{ color-scheme: dark; {dark} }} }}\n{RULES}"
    )


def _variables(colours: dict[str, str]) -> str:
    return " ".join(f"--{name}: {colour};" for name, colour in colours.items())
