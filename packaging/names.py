"""The names of what is published, and the tools that make it: used by the scripts of this folder."""

import hashlib
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VERSION = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["version"]
# The targets of a release's archives. Those of Linux are linked statically, so that one runs on every distribution.
TARGETS = [
    "x86_64-unknown-linux-musl",
    "aarch64-unknown-linux-musl",
    "x86_64-apple-darwin",
    "aarch64-apple-darwin",
    "x86_64-pc-windows-msvc",
]
CHECKSUMS = "SHA256SUMS"


def own_target():
    """The target that this machine builds for by itself."""
    told = subprocess.run(["rustc", "-vV"], check=True, capture_output=True, text=True).stdout
    return re.search(r"^host: (.*)$", told, re.MULTILINE).group(1)


def command(target):
    """The name of the executable."""
    return "dicec.exe" if "windows" in target else "dicec"


def stem(target):
    """The folder in an archive, and the beginning of its name."""
    return f"dicec-{VERSION}-{target}"


def archive(target):
    """The name of an archive."""
    return stem(target) + (".zip" if "windows" in target else ".tar.gz")


def site():
    """The name of the archive of the page without a server."""
    return f"dicec-{VERSION}-site.tar.gz"


def sbom(target):
    """The name of the list of crates."""
    return f"{stem(target)}.cdx.json"


def subcommands(fish):
    """The names of the commands in the completions for fish."""
    pattern = re.compile(r'^complete -c dicec -n "__fish_dicec_needs_command" .*-a "([a-z0-9]+)"', re.MULTILINE)
    found = [name for name in pattern.findall(fish) if name != "help"]
    if len(found) < 10:
        raise SystemExit("the completions for fish name no commands: packaging/names.py reads them")
    return found


def tools(name, packages):
    """The Python of an environment in target/ that has these packages."""
    place = ROOT / "target" / name
    python = place / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", place], check=True)
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages], check=True)
    return python


def digest(path):
    """The SHA-256 of a file, in hexadecimal digits."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def write_checksums(folder):
    """Writes the checksums of all files of a folder, for `sha256sum -c`."""
    files = sorted(path for path in folder.iterdir() if path.is_file() and path.name != CHECKSUMS)
    lines = [f"{digest(path)}  {path.name}\n" for path in files]
    (folder / CHECKSUMS).write_text("".join(lines))
    print(f"{folder / CHECKSUMS}: {len(files)} files")
