"""Runs the command line inside this process."""

import re
import sys

import pytest
from facts import naming

from hyperskip.cli.main import main


class Result:
    """The exit code and the output of a command."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    def check_refused(self, *facts: object) -> None:
        """Check for exit code 2, and for an error with a hint that names these facts.

        What comes last is the page that explains it, if there is one.
        """
        assert self.code == 2, self.err
        assert "Traceback" not in self.err
        assert re.search(r"^error: .+^hint: ", self.err, re.DOTALL | re.MULTILINE), self.err
        assert "\nsee: " not in self.err or re.search(
            r"^see: https://\S+\Z", self.err.rstrip(), re.M
        )
        assert re.search(naming(*facts), self.err), self.err


class Program:
    """Calls `main` with arguments, like the installed script."""

    def __init__(self, capsys: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch) -> None:
        self._capsys, self._patch = capsys, patch

    def __call__(self, *arguments: object) -> Result:
        self._patch.setattr(sys, "argv", ["hyperskip", *map(str, arguments)])
        with pytest.raises(SystemExit) as exited:
            main()
            sys.exit(0)
        out, err = self._capsys.readouterr()
        code = exited.value.code
        return Result(code if isinstance(code, int) else 0, out, err)
