"""STRICT=1 turns every skip into a failure: a machine that must run all of the suite says so by setting it.

The tests that take longest begin first (``order.py``).  Collecting makes millions of objects that stay: the garbage
collector looks at none of them, then or later, which saves a second and a half a worker.

No property fails because an example of it took long: a busy machine takes long over any.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Generator

import pytest
from hypothesis import HealthCheck, settings

import order

gc.disable()  # until all tests are collected
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")
STRICT = os.environ.get("STRICT", "") not in ("", "0")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if STRICT and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped although STRICT=1: {_reason(report.longrepr)}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    if STRICT and report.skipped:
        report.outcome = "failed"
        report.longrepr = f"skipped although STRICT=1: {_reason(report.longrepr)}"
    return report


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: order.rank(item.nodeid))


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


def _reason(longrepr: object) -> str:
    return str(longrepr[2]) if isinstance(longrepr, tuple) else str(longrepr)
