"""Downloads of archives from servers that nobody vouches for, with limits of size and time."""

from __future__ import annotations

import contextlib
import re
import shutil
import tarfile
import threading
import zipfile
import zlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

from tqdm import tqdm

from skpara._compatibility import import_optional

RETRIES = 2  # further attempts at each address
SECONDS = 300.0  # for one attempt: the largest archive takes as long at 5 kB a second
_SILENCE = 30.0  # seconds without an answer
_REDIRECTS = 5
_BLOCK = 2**16  # bytes per read
_THIS_MACHINE = ("localhost", "127.0.0.1", "::1")  # no network can change what it sends
# Others of zip need a memory that the archive itself chooses.
_COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
# Errors of the standard library for damaged archives; RuntimeError for encrypted ones.
DAMAGED = (zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError, OSError, RuntimeError)


def fetch_archive(url: str, folder: Path, checksum: str | None, max_bytes: int) -> dict[str, Path]:
    """Download and unpack an archive; return its files by name, of equal names the least nested.

    An answer of more than ``max_bytes``, also when unpacked, or that takes longer than
    ``SECONDS``, is refused, and so is an archive with names outside of its folder.
    """
    pooch = import_optional("pooch", "A download", install="skpara[download]")
    fetcher = pooch.create(
        folder,
        base_url="",
        registry={"archive": checksum},
        urls={"archive": url},
        retry_if_failed=RETRIES,
    )
    archive = Path(fetcher.fetch("archive", downloader=partial(_download, max_bytes=max_bytes)))
    # The headers of a tar archive may be large, so one without a checksum is not read.
    opened = tarfile.open if checksum is not None and ".tar" in url else zipfile.ZipFile
    with opened(archive) as members:
        return _unpack(members, folder / "unpacked", max_bytes)


def _download(url: str, path: str, pooch: Any, max_bytes: int) -> None:
    """Download a file in a thread, which is left alone after ``SECONDS``.

    A server may also be slow with the head of its answer, which no time limit of a library ends.
    The thread then ends when the server hangs up, or sends nothing for ``_SILENCE``.
    """
    errors: list[BaseException] = []
    is_over = threading.Event()

    def work() -> None:
        try:
            _receive(url, path, max_bytes, is_over)
        except BaseException as error:  # raised below
            errors.append(error)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        thread.join(SECONDS)
    finally:
        is_over.set()
    if thread.is_alive():
        raise ConnectionError(f"the server took more than {SECONDS:g} seconds")
    if errors:
        raise errors[0]


def _receive(url: str, path: str, max_bytes: int, is_over: threading.Event) -> None:
    """Write what a server sends into a file, without unpacking it."""
    import requests  # comes with pooch
    from urllib3.exceptions import HTTPError

    with requests.Session() as session, contextlib.ExitStack() as closing:
        session.headers["Accept-Encoding"] = "identity"
        for _ in range(_REDIRECTS + 1):
            address = urlsplit(url)
            if address.scheme != "https" and address.hostname not in _THIS_MACHINE:
                raise ConnectionError(f"{url} is not an address of https")
            request = session.prepare_request(requests.Request("GET", url))
            settings = session.merge_environment_settings(url, {}, True, None, None)
            # session.get reads each redirection to its end, even if it need not follow it.
            response = session.get_adapter(url).send(request, timeout=_SILENCE, **settings)
            closing.enter_context(response)
            if not response.is_redirect:
                break
            url = urljoin(url, response.headers["Location"])
        else:
            raise ConnectionError(f"more than {_REDIRECTS} redirections")
        response.raise_for_status()
        size = response.headers.get("Content-Length", "")
        progress = tqdm(
            total=int(size) if size.isdecimal() else None, unit="B", unit_scale=True, disable=None
        )
        closing.enter_context(progress)
        file = closing.enter_context(open(path, "wb"))
        n_bytes = 0
        try:
            # read1 returns what is there; read would wait for a whole block.
            while block := response.raw.read1(_BLOCK, decode_content=False):
                n_bytes += len(block)
                if n_bytes > max_bytes:
                    raise ConnectionError(f"the server sent more than {max_bytes:,} bytes")
                if is_over.is_set():
                    return
                file.write(block)
                progress.update(len(block))
        except HTTPError as error:
            raise requests.ConnectionError(error) from error  # which pooch tries again


def _unpack(
    archive: zipfile.ZipFile | tarfile.TarFile, folder: Path, max_bytes: int
) -> dict[str, Path]:
    """Write files under numbers, as a name may be one that the system cannot have."""
    files: list[tuple[str, int, Callable[[], Any]]]
    if isinstance(archive, zipfile.ZipFile):
        members = archive.infolist()
        if not all(x.compress_type in _COMPRESSIONS for x in members):
            raise ValueError("the archive is compressed in an unusual way")
        files = [(x.filename, x.file_size, partial(archive.open, x)) for x in members]
        files = [file for file in files if not file[0].endswith("/")]
    else:
        files = [(x.name, x.size, partial(archive.extractfile, x)) for x in archive if x.isfile()]
    for name, _, _ in files:
        if ".." in re.split(r"[/\\]", name) or re.match(r"[/\\]|[A-Za-z]:", name):
            raise ValueError(f"the archive has a file outside of its folder, {name!r}")
    # Both readers end where the size that an archive states for a file is reached.
    n_bytes = sum(size for _, size, _ in files)
    if n_bytes > max_bytes:
        raise ValueError(f"the archive holds {n_bytes:,} bytes, more than {max_bytes:,}")
    folder.mkdir(parents=True)
    found: dict[str, Path] = {}
    for number, (name, _, read) in enumerate(sorted(files, key=lambda x: x[0].count("/"))):
        path = folder / str(number)
        with read() as source, path.open("wb") as target:
            shutil.copyfileobj(source, target)
        found.setdefault(name.rpartition("/")[2], path)
    return found
