"""The tree with mutants in it, and its builds.

    tracked files --dicec-mutate--> target/mutants/fresh --what differs--> target/mutants/tree --cargo--> suites
                       ^                                                                         |
                       +------------------ what does not compile, as cargo reports it -----------+
"""

import collections
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORK = ROOT / "target" / "mutants"
TREE = WORK / "tree"
SUITES = ["engines", "exact", "scripts", "memory", "notation"]
# Optimised as released, for the tests run thousands of times, but with the checks of debug builds in our own crates.
PROFILE = [
    'profile.mutants.inherits="release"',
    "profile.mutants.debug-assertions=true",
    "profile.mutants.overflow-checks=true",
    "profile.mutants.package.cranelift-codegen.debug-assertions=false",
    "profile.mutants.package.regalloc2.debug-assertions=false",
]
NOT_COMPILED = "does not compile"
# What no result depends on.
NOT_TESTED = (".ci/", "tests/mutate/", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", ".gitignore")

Mutant = collections.namedtuple("Mutant", "id file line column function what")


def key(mutant):
    return "\t".join(mutant[1:])


def told(mutant):
    return f"{mutant.file}:{mutant.line}:{mutant.column}: {mutant.function}: {mutant.what}"


def tracked():
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True)
    names = [name for name in listed.stdout.split("\0") if (ROOT / name).is_file()]
    return {name: (ROOT / name).read_bytes() for name in names}


def digest(files):
    """A name for these files, as far as a result depends on them."""
    summed = hashlib.sha256()
    for name, content in sorted(files.items()):
        if not name.startswith(NOT_TESTED):
            summed.update(f"{name}\0{len(content)}\0".encode() + content)
    return summed.hexdigest()


def write_mutants(args, files, skipped):
    """Makes the tree with the mutants. What stays as it is keeps its time, and is not built again."""
    fresh = WORK / "fresh"
    shutil.rmtree(fresh, ignore_errors=True)
    for name, content in files.items():
        (fresh / name).parent.mkdir(parents=True, exist_ok=True)
        (fresh / name).write_bytes(content)
    (WORK / "skip.tsv").write_text("".join(f"{line}\n" for line in skipped))
    command = ["cargo", "run", "--quiet", "-p", "dicec-mutate", "--", fresh, WORK / "mutants.tsv", "--skip", WORK / "skip.tsv"]
    command += ["--one-in", str(args.one_in), "--seed", str(args.seed), *args.paths]
    subprocess.run(command, cwd=ROOT, check=True)
    wanted = {path.relative_to(fresh): path.read_bytes() for path in fresh.rglob("*") if path.is_file()}
    for path in [path for path in TREE.rglob("*") if path.is_file()]:
        if path.relative_to(TREE) not in wanted:
            path.unlink()
    for name, content in wanted.items():
        path = TREE / name
        if not path.is_file() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    rows = [line.split("\t") for line in (WORK / "mutants.tsv").read_text().splitlines()]
    return [Mutant(int(row[0]), *row[1:]) for row in rows], digest({str(name): text for name, text in wanted.items()})


def cargo(jobs, *words):
    """Runs cargo in the tree; returns whether it succeeds, and its messages."""
    options = [word for setting in PROFILE for word in ("--config", setting)]
    command = ["cargo", *words, *options, "--profile", "mutants", "--target-dir", WORK / "target", "-j", str(jobs)]
    env = dict(os.environ, CARGO_INCREMENTAL="0")
    ran = subprocess.run([*command, "--message-format=json"], cwd=TREE, env=env, stdout=subprocess.PIPE, text=True)
    return ran.returncode == 0, [json.loads(line) for line in ran.stdout.splitlines() if line.startswith("{")]


def blamed(error):
    """The numbers of the mutants of which the compiler complains: those in the text that it shows, or the last one before it."""
    for span in sorted(error["spans"], key=lambda span: not span["is_primary"]):
        path = TREE / span["file_name"]
        if not path.is_file():
            continue
        lines = path.read_text().splitlines()
        before = "\n".join([*lines[: span["line_start"] - 1], lines[span["line_start"] - 1][: span["column_start"] - 1]])
        shown = "\n".join(lines[: span["line_end"] - 1] + [lines[span["line_end"] - 1][: span["column_end"] - 1]])[len(before) :]
        inside = re.findall(r"mutants::on\((\d+)\)", shown)
        last = re.findall(r"mutants::on\((\d+)\)", before)[-1:]
        if inside or last:
            return {int(number) for number in inside or last}
    return set()


# The crates with mutants.
PACKAGES = [word for name in ("lang", "exact", "native", "compiler") for word in ("-p", f"dicec-{name}")]


def built(args, files, results):
    """Builds the suites; mutants that do not compile get that as their result and are left out."""
    while True:
        skipped = [line for line, result in results.known.items() if result == NOT_COMPILED]
        mutants, tree = write_mutants(args, files, skipped)
        # A check finds what does not compile in a fraction of the time.
        good, messages = cargo(args.jobs, "check", *PACKAGES, "--all-features")
        if good:
            suites = [word for suite in SUITES for word in ("--test", suite)]
            good, messages = cargo(args.jobs, "test", "--no-run", "-p", "dicec-tests", *PACKAGES, "--lib", *suites)
        if good:
            return mutants, tree, messages
        errors = [message["message"] for message in messages if message["reason"] == "compiler-message"]
        numbers = set().union(*(blamed(error) for error in errors if error["level"] == "error"))
        by_number = {mutant.id: mutant for mutant in mutants}
        found = [by_number[number] for number in numbers if number in by_number]
        if not found:
            sys.exit("\n".join(error["rendered"] for error in errors if error["level"] == "error"))
        print(f"{len(found)} more do not compile", flush=True)
        for mutant in found:
            results.add(mutant, NOT_COMPILED, 0)
