"""What was played, looked at with polars: a notebook in cells, or a program.

    rivalry records export CUP --what seats --to seats.parquet
    rivalry records export CUP --what decisions --to decisions.parquet
    python analysis.py seats.parquet decisions.parquet

It needs polars (``pip install polars``) and nothing of rivalry: the columns are described in ``server/README.md``.
"""

# %%
import sys

import polars as pl

seats_file, decisions_file = sys.argv[1:] if len(sys.argv) == 3 else ("seats.parquet", "decisions.parquet")
seats = pl.scan_parquet(seats_file).filter(pl.col("counted").fill_null(True) & pl.col("rank").is_not_null())
decisions = pl.scan_parquet(decisions_file)
pl.Config(fmt_str_lengths=40, tbl_rows=40, tbl_hide_dataframe_shape=True, tbl_hide_column_data_types=True)

# %% How well did each bot do?  Matches with one seed share their luck, so the error is that of the means of seeds.
utility = (pl.col("below") / (2 * pl.col("others"))).alias("utility")
standing = (
    seats.with_columns(utility)
    .group_by("bot", "seed")
    .agg(pl.col("utility").mean())
    .group_by("bot")
    .agg(
        pl.len().alias("seeds"),
        pl.col("utility").mean(),
        (pl.col("utility").std() / pl.len().sqrt()).alias("error"),
    )
    .sort("utility", "bot", descending=[True, False])
    .collect()
)
print(standing)

# %% Does a seat help?  Over all bots, in every game.
by_seat = (
    seats.with_columns(utility)
    .group_by("game", "seat")
    .agg(pl.col("utility").mean(), pl.len().alias("matches"))
    .sort("game", "seat")
    .collect()
)
print(by_seat)

# %% How did matches end for each bot?
print(seats.group_by("bot", "end").agg(pl.len().alias("matches")).sort("bot", "end").collect())

# %% What does each bot do, and how long does it think about it?  The first word of an action says what kind it is, and
# after "no" the second says what was declined.
kinds = (
    decisions.filter(~pl.col("stand_in"))
    .with_columns(pl.col("action").str.extract(r"^(no \S+|\S*)").alias("kind"))
    .group_by("bot", "kind")
    .agg(
        pl.len().alias("actions"),
        pl.col("us").median().alias("median_us"),
        pl.col("us").quantile(0.99).alias("p99_us"),
    )
    .sort("bot", "actions", "kind", descending=[False, True, False])
    .collect()
)
print(kinds)

# %% The slowest decisions, with the match in which they can be looked at: rivalry replay CUP/records/MATCH.jsonl
print(decisions.sort("us", descending=True).select("us", "bot", "action", "match", "n").head(5).collect())
