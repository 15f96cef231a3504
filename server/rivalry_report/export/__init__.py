"""Results and records as tables for other programs: Parquet and JSON lines, one schema for both."""
