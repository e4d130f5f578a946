"""A disk that fails, or kills the process, at a chosen operation."""

import builtins
import io
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest


class FailingDisk:
    """A disk whose n-th operation fails."""

    def __init__(self, patch: pytest.MonkeyPatch, error: int) -> None:
        self.asked, self._moment = 0, 0
        self._error = error
        for name in ("fsync", "chmod", "utime", "rename", "replace"):
            self._patch(patch, os, name, lambda *_, **__: True)
        self._patch(patch, os, "mkdir", lambda *_, **__: True)
        self._patch(patch, os, "open", _creates)
        self._patch(patch, io, "open", _opens_for_writing)
        self._patch(patch, builtins, "open", _opens_for_writing)

    @contextmanager
    def failing_at(self, moment: int) -> Iterator[None]:
        self.asked, self._moment = 0, moment
        yield
        self._moment = 0

    def _patch(
        self, patch: pytest.MonkeyPatch, module: Any, name: str, counts: Callable[..., bool]
    ) -> None:
        call = getattr(module, name)

        def wrapped(*arguments: Any, **named: Any) -> Any:
            if counts(*arguments, **named):
                self.asked += 1
                if self.asked == self._moment:
                    self._fail()
            return call(*arguments, **named)

        patch.setattr(module, name, wrapped)

    def _fail(self) -> None:
        raise OSError(self._error, os.strerror(self._error))


class KillingDisk(FailingDisk):
    """A disk whose n-th operation kills this process."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        super().__init__(patch, 0)
        for name in ("unlink", "rmdir"):
            self._patch(patch, os, name, lambda *_, **__: True)

    def _fail(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)


def _creates(_: object, flags: int, *__: object, **___: object) -> bool:
    return bool(flags & (os.O_CREAT | os.O_WRONLY | os.O_RDWR))


def _opens_for_writing(_: object, mode: str = "r", *__: object, **___: object) -> bool:
    return any(letter in mode for letter in "wax+")
