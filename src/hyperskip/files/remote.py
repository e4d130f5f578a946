"""Files behind a URL: s3://, gs://, hdfs://, memory:// and every other protocol of fsspec."""

import contextlib
import io
import os
import re
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from hyperskip.errors import InputError
from hyperskip.files.storage_errors import storage_errors

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

CHECK_ACCESS = "check the URL, your credentials and the network connection"

_PROTOCOL = r"[A-Za-z][A-Za-z0-9+.-]+"  # two or more characters: C:// is a drive
_URL = re.compile(rf"(?:{_PROTOCOL}::)*({_PROTOCOL})://")
_PATH_OF_URL = re.compile(rf"({_PROTOCOL}):/+")  # pathlib removes a slash of a URL
_LOCAL = ("file", "local")
_MAGIC = re.compile(r"[*?\[{]")
_TIMES = ("mtime", "LastModified", "last_modified", "updated", "modified", "created")
_BUFFER_BYTES = 1 << 20


def is_url(text: str) -> bool:
    """Whether a text is a URL, and not a local path that exists."""
    match = _URL.match(text)
    # A file s3://x can exist only in a folder s3:
    return match is not None and not os.path.lexists(text.partition("://")[0] + ":")


def was_url(path: Path) -> bool:
    """Whether a path was made from a URL; pathlib removes one of its slashes."""
    match = _PATH_OF_URL.match(str(path))
    return match is not None and not os.path.lexists(match.group(1) + ":")


def check_local(path: Path, error: type[InputError]) -> None:
    """Check that a path is not a URL, for everything except a corpus.

    Raises:
        InputError: It is one; `error` is the class.
    """
    if was_url(path):
        url = str(path).replace(":/", "://", 1)[:200]
        raise error(
            f"{url} is a URL, and only local paths are supported here",
            hint="pass a local path; URLs are supported for text and encoded corpora",
        )


@dataclass(frozen=True, order=True)
class RemotePath(os.PathLike[str]):
    """A file, folder or glob in a storage that fsspec can open, such as s3://bucket/text.

    `hyperskip.train` and `hyperskip.encode` take a URL as a string. For several URLs, pass a list
    of RemotePath: a list of strings is a list of texts.

    Args:
        url: The URL.
    """

    url: str

    def __str__(self) -> str:
        return self.url

    def __fspath__(self) -> str:
        return self.url

    def __truediv__(self, name: str) -> "RemotePath":
        head, chained = self._split()
        return RemotePath(_joined(head, name) + chained)

    @property
    def protocol(self) -> str:
        """The protocol, such as s3; the first of a chain."""
        return re.split("::|://", self.url, maxsplit=1)[0]

    @property
    def name(self) -> str:
        """The last part of the path."""
        return PurePosixPath(self._split()[0]).name

    @property
    def suffixes(self) -> list[str]:
        """The suffixes of the name, as pathlib lists them."""
        return PurePosixPath(self.name).suffixes

    @property
    def parent(self) -> "RemotePath":
        """The folder; a bucket or host is its own parent."""
        head, chained = self._split()
        start = head.index("://") + len("://")
        parent = head.rstrip("/").rpartition("/")[0]
        return RemotePath(parent + chained) if len(parent) > start else self

    @property
    def is_shared(self) -> bool:
        """Whether other processes can read it: files of memory:// exist in their process only."""
        return self.protocol != "memory"

    def absolute(self) -> "RemotePath":
        """Return the path itself: a URL is always absolute."""
        return self

    def refresh(self) -> None:
        """Drop cached listings, so that the next question is answered by the storage."""
        with self._errors():
            self._storage()[0].invalidate_cache()

    def is_file(self) -> bool:
        """Whether it is an existing file."""
        return self._kind() == "file"

    def is_dir(self) -> bool:
        """Whether it is an existing folder."""
        return self._kind() == "directory"

    def status(self) -> tuple[int, int] | None:
        """Size and time of the last change in ns, or 0; None if it is missing or has no size.

        The time is in whole seconds: some storages list fractions but do not report them for a
        single file.
        """
        about = self._info()
        if about is None or about.get("type") != "file" or not isinstance(about.get("size"), int):
            return None
        times = (about[name] for name in _TIMES if about.get(name) is not None)
        return about["size"], _nanoseconds(next(times, 0))

    def iterdir(self) -> list["RemotePath"]:
        """List what is in the folder."""
        with self._errors():
            storage, path = self._storage()
            found = storage.ls(path, detail=False)
            # S3 may have an object for the folder itself.
            inside = [name for name in found if name.rstrip("/") != path.rstrip("/")]
            return self._named(inside, path, self._split()[0])

    def files_below(self) -> list["RemotePath"]:
        """List the files in the folder and in all folders below, in the order of their parts."""
        with self._errors():
            storage, path = self._storage()
            found = (name for name in storage.find(path) if not name.endswith("/"))
            return self._named(sorted(found, key=lambda name: name.split("/")), path, self.url)

    def matches(self) -> list["RemotePath"]:
        """List the files that the path matches as a glob, sorted; hidden files only if named."""
        head, chained = self._split()
        magic = _MAGIC.search(head)
        if magic is None:
            return []
        root = head[: head.rindex("/", 0, magic.start()) + 1]
        with self._errors():
            storage, pattern = self._storage()
            base = RemotePath(root + chained)._storage()[1]
            found = storage.glob(pattern, detail=True)
            files = sorted(name for name, about in found.items() if about.get("type") == "file")
            if "/." not in pattern:
                files = [name for name in files if "/." not in name[len(base) :]]
            return self._named(files, base, root)

    def open(self) -> io.BufferedReader:
        """Open the file for reading bytes."""
        with self._errors():
            storage, path = self._storage()
            return io.BufferedReader(_Stream(self, storage.open(path, "rb")), _BUFFER_BYTES)

    def read_range(self, begin: int, end: int) -> bytes:
        """Read the bytes of a half-open range, which is cut at the end of the file."""
        with self._errors():
            storage, path = self._storage()
            return bytes(storage.cat_file(path, start=begin, end=end)) if begin < end else b""

    def download(self, target: Path) -> None:
        """Copy the file to a local path."""
        with self._errors():
            storage, path = self._storage()
            storage.get_file(path, str(target))

    def upload(self, source: Path) -> None:
        """Write a local file to this path."""
        with self._errors():
            storage, path = self._storage()
            storage.put_file(str(source), path)

    def unlink(self) -> None:
        """Remove the file."""
        with self._errors():
            storage, path = self._storage()
            storage.rm_file(path)

    def check_writable(self) -> None:
        """Write a small file to the folder and remove it."""
        attempt = self / f".hyperskip-{secrets.token_hex(8)}.part"
        with self._errors():
            storage, path = attempt._storage()
            storage.pipe_file(path, b"\n")
        attempt.unlink()

    def _kind(self) -> str | None:
        about = self._info()
        return None if about is None else about.get("type")

    def _info(self) -> dict[str, Any] | None:
        """What the storage says about the path; None if it does not exist."""
        try:
            with self._errors():
                storage, path = self._storage()
                about: dict[str, Any] = storage.info(path)
                return about
        except (FileNotFoundError, NotADirectoryError):
            return None

    def _storage(self) -> tuple[Any, str]:
        """The file system, and the path in it; fsspec keeps file systems that were used before."""
        from fsspec.core import url_to_fs

        storage, path = url_to_fs(self.url)
        return storage, path

    def _split(self) -> tuple[str, str]:
        """Split zip://text.txt::s3://bucket/a.zip into its first URL and the others."""
        head, separator, chained = self.url.partition("://")
        path, chain, others = chained.partition("::")
        return head + separator + path, chain + others

    def _named(self, found: list[str], base: str, root: str) -> list["RemotePath"]:
        """Turn paths in the file system into URLs.

        Args:
            found: The paths.
            base: The path in the file system of the folder that contains them.
            root: The URL of this folder.
        """
        chained = self._split()[1]
        root = root.removesuffix(chained)
        return [RemotePath(_joined(root, path[len(base) :]) + chained) for path in found]

    def _errors(self) -> contextlib.AbstractContextManager[None]:
        return storage_errors(self.url, self.protocol)


Location = Path | RemotePath


def location(path: str | os.PathLike[str]) -> Location:
    """Return a path or URL as an object; a file:// URL is a local path."""
    if isinstance(path, RemotePath):
        path = path.url
    name = os.fspath(path)
    if not is_url(name):
        return Path(path)
    remote = RemotePath(name)
    return Path(name.partition("://")[2]) if remote.protocol in _LOCAL else remote


class _Stream(io.RawIOBase):
    """An open file of a file system, with our errors."""

    def __init__(self, path: RemotePath, file: Any) -> None:
        self._path = path
        self._file = file

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return bool(self._file.seekable())

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        with self._path._errors():
            return int(self._file.seek(offset, whence))

    def tell(self) -> int:
        return int(self._file.tell())

    def readinto(self, buffer: "WriteableBuffer") -> int:
        view = memoryview(buffer).cast("B")
        with self._path._errors():
            data = self._file.read(len(view))
        view[: len(data)] = data
        return len(data)

    def close(self) -> None:
        if not self.closed:
            with self._path._errors():
                self._file.close()
        super().close()


def _joined(root: str, name: str) -> str:
    return f"{root}{'' if root.endswith('/') else '/'}{name.lstrip('/')}"


def _nanoseconds(time: Any) -> int:
    """A time of a file system, in whole seconds; 0 if it is not understood."""
    try:
        if isinstance(time, str):
            time = datetime.fromisoformat(time)
        if isinstance(time, datetime):
            time = (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()
        return int(time) * 10**9
    except (TypeError, ValueError, OverflowError):
        return 0
