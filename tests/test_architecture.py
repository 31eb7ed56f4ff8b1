"""Who may import whom, read from the sources (DESIGN section 1)."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
OURS = {"simcore", "rules", "bench", "tests"}
KERNEL_MAY = {"numpy", "numba", "math", "typing", "simcore"}
LEAVES = ("rules.envs", "rules.players", "bench", "tests")
COMMAND_LINE = ROOT / "simcore" / "__main__.py"
# scipy is not among them: numba imports it where it is installed.
LATE = {"matplotlib", "gymnasium", "pettingzoo", "dask", "pandas", "pyarrow", "torch", "rich", "typer"}


def sources(*folders):
    return [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]


def imported(path):
    """Dotted names of every module that a file imports, at whatever depth."""
    package = path.relative_to(ROOT).parent.parts
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join((*base, *filter(None, [node.module])))
            names |= {module} | {f"{module}.{alias.name}" for alias in node.names}
    return names


def test_there_is_something_to_check():
    assert len(sources("simcore", "rules")) > 20


@pytest.mark.parametrize("path", sources("simcore"), ids=lambda path: str(path.relative_to(ROOT)))
def test_simcore_knows_nothing_of_rules(path):
    wrong = {name for name in imported(path) if name.split(".")[0] in OURS - {"simcore"}}
    assert not wrong or path == COMMAND_LINE, wrong


@pytest.mark.parametrize("path", sources("simcore/kernel"), ids=lambda path: path.name)
def test_kernels_import_little(path):
    names = {name.split(".")[0] for name in imported(path)}
    if path.name == "jit.py":  # compiles and caches: the standard library is its trade
        names -= sys.stdlib_module_names
    assert names <= KERNEL_MAY
    assert all(name.startswith("simcore.kernel") for name in imported(path) if name.startswith("simcore"))


@pytest.mark.parametrize("path", sources("simcore", "rules"), ids=lambda path: str(path.relative_to(ROOT)))
def test_nobody_imports_the_leaves(path):
    for leaf in LEAVES:
        if path.is_relative_to(ROOT / leaf.replace(".", "/")):
            continue
        assert not {name for name in imported(path) if name == leaf or name.startswith(f"{leaf}.")}


@pytest.mark.parametrize("path", sources("rules"), ids=lambda path: str(path.relative_to(ROOT)))
def test_frames_and_matches_know_nothing_of_what_is_written_of_them(path):
    names = imported(path)
    above = {"rules": ("rules.records", "rules.scoring"), "records": ("rules.scoring",)}.get(path.parent.name, ())
    if path != ROOT / "rules" / "__init__.py":
        assert not {name for name in names if name.startswith(above)}


@pytest.mark.parametrize("package", ["simcore", "rules"])
def test_importing_loads_nothing_heavy(package):
    code = f"import sys, {package}; print(*sorted({{n.split('.')[0] for n in sys.modules}}))"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert not LATE & set(run.stdout.split())


def test_our_rules_package_is_marked():
    import rules

    assert rules.__project__ == "snookersim"
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = rules.nothing


def test_no_module_of_rules_hides_a_public_name():
    """Importing a submodule sets it as an attribute of its package, over a lazily loaded name."""
    import rules

    modules = {path.stem for path in (ROOT / "rules").iterdir()} | {"envs", "players"}
    assert not modules & set(rules.__all__)
