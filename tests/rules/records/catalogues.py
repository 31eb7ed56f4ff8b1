"""The gettext catalogues of `rules`: their sources (.po) read, and compiled to what Python's gettext loads (.mo).

python -m tests.rules.records.catalogues        # writes every .mo anew, after a change of a .po

Only what the catalogues use is read: comments, msgid, msgid_plural, msgstr and strings over several lines. The .mo
format is the GNU one: a table of sorted messages, a table of translations, then the strings.
"""

import ast
import re
import struct
from pathlib import Path

from rules.records.calls import DOMAIN, FOLDER
from simcore.files import write_atomically

MAGIC, REVISION, HEADER_BYTES, PAIR_BYTES = 0x950412DE, 0, 28, 8
KEYWORD = re.compile(r'(msgid|msgid_plural|msgstr|msgstr\[(\d)\]) (".*")')


def sources():
    """Every .po file."""
    return sorted(FOLDER.glob(f"*/LC_MESSAGES/{DOMAIN}.po"))


def read(path: Path):
    """Messages of a .po file, each (msgid, msgid_plural or None, translations)."""
    messages = []
    for line in path.read_text(encoding="utf-8").splitlines():
        found = KEYWORD.fullmatch(line)
        if found and found[1] == "msgid":
            messages.append([[ast.literal_eval(found[3])], None, []])
        elif found and found[1] == "msgid_plural":
            messages[-1][1] = ast.literal_eval(found[3])
        elif found:
            assert int(found[2] or 0) == len(messages[-1][2]), line
            messages[-1][2].append(ast.literal_eval(found[3]))
        elif line.startswith('"'):
            messages[-1][2][-1] += ast.literal_eval(line)
        else:
            assert not line or line.startswith("#"), line
    return [(one[0], many, translations) for one, many, translations in messages]


def compiled(messages):
    """Bytes of the .mo file with these messages."""
    pairs = sorted(
        (one if many is None else f"{one}\0{many}", "\0".join(translations)) for one, many, translations in messages
    )
    columns = [[text.encode() for text in column] for column in zip(*pairs, strict=True)]
    n = len(pairs)
    start = HEADER_BYTES + 2 * n * PAIR_BYTES
    tables, strings = b"", b""
    for column in columns:
        for text in column:
            tables += struct.pack("<II", len(text), start + len(strings))
            strings += text + b"\0"
    head = struct.pack("<7I", MAGIC, REVISION, n, HEADER_BYTES, HEADER_BYTES + n * PAIR_BYTES, 0, 0)
    return head + tables + strings


def main():
    for path in sources():
        data = compiled(read(path))
        write_atomically(path.with_suffix(".mo"), lambda target, data=data: target.write_bytes(data))


if __name__ == "__main__":
    main()
