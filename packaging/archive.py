"""Archives that are the same for the same files: sorted, of nobody, and of one time."""

import gzip
import io
import os
import tarfile
import time
import zipfile

# The time of all files: that of the commit in a release, which sets this variable as others do.
TIME = int(os.environ.get("SOURCE_DATE_EPOCH", 1_767_225_600))


def pack(path, folder, files):
    """Writes an archive of files in a folder: names with their bytes, and whether they are executed."""
    if path.name.endswith(".zip"):
        _zip(path, folder, files)
    else:
        _tar(path, folder, files)
    return path


def _tar(path, folder, files):
    with path.open("wb") as out, gzip.GzipFile("", "wb", 9, out, mtime=TIME) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as tar:
            for name, (content, is_executed) in sorted(files.items()):
                entry = tarfile.TarInfo(f"{folder}/{name}")
                entry.size = len(content)
                entry.mode = 0o755 if is_executed else 0o644
                entry.mtime = TIME
                tar.addfile(entry, io.BytesIO(content))


def _zip(path, folder, files):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for name, (content, is_executed) in sorted(files.items()):
            entry = zipfile.ZipInfo(f"{folder}/{name}", time.gmtime(TIME)[:6])
            entry.external_attr = (0o755 if is_executed else 0o644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(entry, content)
