"""What results say: utilities, ratings and intervals, computed from matches that count and from nothing else."""
