"""Seats for programs and models that know nothing of gRPC: language models, chat agents, programs that read lines."""
