"""The Hugging Face Hub: files of a repository, with its errors as ours."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hyperskip.errors import InputError, MissingPackageError, OutputError, VectorFileError
from hyperskip.version import VERSION

NAMES = (
    "names of repositories are like 'user/name'; hyperskip.load takes a file, or a name that "
    "hyperskip download lists"
)
_LOG_IN = "log in with hf auth login, set the variable HF_TOKEN, or pass `token`"


def not_a_repository(name: object, kind: type[InputError]) -> InputError:
    """Return the error for a name that no repository can have."""
    return kind(f"{name!r} is not the name of a repository", hint=NAMES)


def download(repository: str, name: str, *, revision: str | None, token: str | bool | None) -> Path:
    """Return the path of a file of a repository, which is downloaded if it is not in the cache.

    Raises:
        VectorFileError: There is no such repository, revision or file, or it cannot be reached.
        MissingPackageError: huggingface_hub is not installed.
    """
    with _errors(repository, revision, VectorFileError):
        client = _client(token)
        offline = not _is_reachable(client, repository, name, revision)
        return Path(
            client.hf_hub_download(repository, name, revision=revision, local_files_only=offline)
        )


def upload(
    folder: Path,
    repository: str,
    *,
    token: str | bool | None,
    private: bool | None,
    revision: str | None,
    message: str,
    keep: str | None,
) -> str:
    """Upload all files of a folder in one commit, and return the address of the repository.

    Args:
        folder: The folder.
        repository: It is created if necessary.
        token: An access token; by default, the one that was saved.
        private: Whether a new repository is private.
        revision: A branch; by default, the main one.
        message: The message of the commit.
        keep: A file that is not uploaded if the repository has it.

    Raises:
        OutputError: The repository cannot be written or reached.
        MissingPackageError: huggingface_hub is not installed.
    """
    with _errors(repository, revision, OutputError):
        client = _client(token)
        url = client.create_repo(repository, private=private, exist_ok=True)
        kept = keep is not None and client.file_exists(repository, keep, revision=revision)
        client.upload_folder(
            repo_id=repository,
            folder_path=folder,
            revision=revision,
            commit_message=message,
            ignore_patterns=[keep] if kept else None,
        )
        return str(url)


def _client(token: str | bool | None) -> Any:
    from huggingface_hub import HfApi

    return HfApi(token=token, library_name="hyperskip", library_version=VERSION)


def _is_reachable(client: Any, repository: str, name: str, revision: str | None) -> bool:
    """Whether the Hub answers; a download would try again for 20 seconds, with many warnings."""
    from huggingface_hub import hf_hub_url
    from huggingface_hub.errors import HfHubHTTPError

    try:
        client.get_hf_file_metadata(url=hf_hub_url(repository, name, revision=revision))
    except HfHubHTTPError:  # it answers with an error, which the download raises, too
        return True
    except (OSError, HfHubHTTPError.__bases__[0]):
        return False
    return True


@contextmanager
def _errors(repository: str, revision: str | None, kind: type[InputError]) -> Iterator[None]:
    """Raise our errors instead of those of huggingface_hub."""
    try:
        from huggingface_hub import errors
    except ImportError as error:
        raise MissingPackageError("huggingface_hub", "hub", "the Hugging Face Hub") from error
    try:
        yield
    except errors.HFValidationError as error:
        raise not_a_repository(repository, kind) from error
    except errors.LocalTokenNotFoundError as error:
        raise kind(f"no access token for {repository} was found", hint=_LOG_IN) from error
    except errors.RepositoryNotFoundError as error:
        raise kind(
            f"there is no repository {repository} on the Hugging Face Hub, or it is private",
            hint=f"check the name; for a private one, {_LOG_IN}",
        ) from error
    except errors.RevisionNotFoundError as error:
        raise kind(
            f"the repository {repository} has no revision {revision!r}",
            hint="`revision`: a branch, tag or commit; leave it out for the main branch",
        ) from error
    except (errors.LocalEntryNotFoundError, errors.OfflineModeIsEnabled) as error:
        raise kind(
            f"the Hugging Face Hub cannot be reached, and {repository} is not in the cache",
            hint="check the connection, and the variables HF_HUB_OFFLINE and HF_ENDPOINT",
        ) from error
    except errors.EntryNotFoundError as error:
        raise kind(
            f"the repository {repository} contains no model of hyperskip",
            hint="write one with vectors.push_to_hub(...)",
        ) from error
    except errors.HfHubHTTPError as error:
        status = error.response.status_code if error.response is not None else None
        raise kind(
            f"the Hugging Face Hub refused the request about {repository}: "
            f"{error.server_message or error}",
            hint=_LOG_IN if status in (401, 403) else "try again later",
        ) from error
    except (OSError, errors.HfHubHTTPError.__bases__[0]) as error:  # of the HTTP library it uses
        raise kind(
            f"the Hugging Face Hub cannot be reached: {error}",
            hint="check the connection, and the variable HF_ENDPOINT",
        ) from error
