"""Results for people and for other programs: tables, plots, one HTML report, exports."""
