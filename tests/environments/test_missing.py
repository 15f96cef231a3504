import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("library", "module"),
    [("pettingzoo", "pettingzoo"), ("pyspiel", "openspiel")],
)
def test_a_library_that_is_missing_is_named_with_what_to_do(library, module):
    program = f"import sys; sys.modules[{library!r}] = None; import rivalry_environments.{module}"

    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)

    assert ran.returncode == 1
    assert f"pip install -e '.[{module}]'" in ran.stderr.splitlines()[-1]
