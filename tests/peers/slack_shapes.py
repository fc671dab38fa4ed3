"""What we send to Slack, and the signatures of what it brings, read by programs nobody here wrote.

@slack/types and @slack/web-api take every golden, with no key that they do not know; slack_sdk's models take every block and every
modal with its lengths and counts, and give them back as they were. What Slack sends is not read by these types: they lack half of
it. slack_sdk's verifier judges signed calls: those that the tests of our route take or refuse (adapters/slack/tests/signed.json),
and those that our stand-in makes. `slack_shapes.py ROOT`: exit 1 on any fault, and when there is nothing to look at.
`slack_shapes.py ROOT sign` writes the former anew.
"""

import json
import sys
from pathlib import Path

from slack_sdk.errors import SlackObjectFormationError
from slack_sdk.models.blocks import Block
from slack_sdk.models.views import View
from slack_sdk.signature import Clock, SignatureVerifier
from vendor_types import Literals, goldens, report

ROOT = Path(sys.argv[1])
IMPORTS = ['import type * as T from "@slack/types";', 'import type * as W from "@slack/web-api";']
METHODS = {
    "chat.postMessage": "W.ChatPostMessageArguments",
    "chat.postEphemeral": "W.ChatPostEphemeralArguments",
    "chat.update": "W.ChatUpdateArguments",
    "views.open": "W.ViewsOpenArguments",
    "conversations.open": "W.ConversationsOpenArguments",
}
SIGNED = ROOT / "adapters/slack/tests/signed.json"
SECRET = "8f742231b10e8888abcd99yyyzzz85a5"
NOW = 1_764_500_000


def payloads():
    """Every golden: its name, the method where it is a call, and what is sent."""
    for name, golden in goldens(ROOT, "adapters/slack/src/encode"):
        for index, row in enumerate(golden):
            yield f"{name}[{index}]", row.get("method"), row.get("payload", row)


def blocks():
    """Every block of every golden, in messages and modals."""
    for name, _, payload in payloads():
        for place in (payload, payload.get("view", {})):
            for index, block in enumerate(place.get("blocks", [])):
                yield f"{name}.blocks[{index}]", block


def views():
    for name, _, payload in payloads():
        if "view" in payload:
            yield name, payload["view"]


def without_blocks(payload):
    """Blocks are read one by one: in a message the types take a block of any kind."""
    return {**payload, "blocks": []} if "blocks" in payload else payload


def goldens_by_types():
    literals = Literals(ROOT, "slack-goldens", IMPORTS)
    for name, method, payload in payloads():
        if method is not None:
            literals.add(name, METHODS.get(method, "never"), without_blocks(payload))
        elif "trigger_id" in payload:
            literals.add(name, METHODS["views.open"], {**payload, "view": without_blocks(payload["view"])})
    for name, view in views():
        literals.add(f"{name}.view", "T.ModalView", without_blocks(view))
    for name, block in blocks():
        literals.add(name, "T.KnownBlock", block)
    return literals.faults()


def faults_by_models(parse, value):
    """What is wrong with it by slack_sdk's models; also where they read less than all of it."""
    try:
        read = parse(json.loads(json.dumps(value))).to_dict()
    except SlackObjectFormationError as error:
        return [str(error)]
    return [] if read == value else [f"read as {json.dumps(read)}"]


def blocks_by_models():
    for name, block in blocks():
        yield name, faults_by_models(Block.parse, block)


def views_by_models():
    for name, view in views():
        yield name, faults_by_models(lambda value: View(**value), view)


class Standing(Clock):
    """A time that stands still."""

    def __init__(self, seconds=NOW):
        self.seconds = seconds

    def now(self):
        return float(self.seconds)


def signed():
    """Calls as the platform signs them, and as it does not."""
    ours, other = SignatureVerifier(SECRET, Standing()), SignatureVerifier(SECRET[::-1], Standing())
    bodies = [
        '{"type":"url_verification","challenge":"x"}',
        '{"type":"url_verification","challenge":"Straße 🙂 \\u0000 + % &"}',
        "payload=%7B%22a%22%3A%22b+c%26%22%7D&x=",
        "",
        "\r\nno JSON\r\n",
    ]
    ages = [0, 299, 300, 301, -299, -300, -301, 86_400, NOW]
    for body in bodies:
        for age in ages:
            at = str(NOW - age)
            yield f"{age} seconds old", body, at, ours.generate_signature(timestamp=at, body=body)
        at = str(NOW)
        right = ours.generate_signature(timestamp=at, body=body)
        yield "another secret", body, at, other.generate_signature(timestamp=at, body=body)
        yield "another time", body, str(NOW - 1), right
        yield "another body", f"{body} ", at, right
        yield "another version", body, at, right.replace("v0=", "v1=")
        yield "without its version", body, at, right.removeprefix("v0=")
        yield "in capitals", body, at, right.upper().replace("V0", "v0")
        yield "cut short", body, at, right[:-1]
        yield "longer", body, at, f"{right}0"
        yield "none", body, at, ""


def judged():
    """The same with the verifier's judgement."""
    verifier = SignatureVerifier(SECRET, Standing())
    rows = [
        {"name": name, "body": body, "at": at, "signature": signature, "valid": verifier.is_valid(body, at, signature)}
        for name, body, at, signature in signed()
    ]
    return {"secret": SECRET, "now": NOW, "rows": rows}


def signatures_for_our_route():
    kept, fresh = json.loads(SIGNED.read_text(encoding="utf-8")), judged()
    for index, row in enumerate(fresh["rows"]):
        same = kept["rows"][index : index + 1] == [row] and kept["secret"] == SECRET and kept["now"] == NOW
        yield row["name"], [] if same else [f"{SIGNED.name} has it otherwise: write it anew with `sign`"]


def signatures_of_the_stand_in():
    made = json.loads((ROOT / "target/tmp/slack-stand-in-signed.json").read_text(encoding="utf-8"))
    for row in made["rows"]:
        verifier = SignatureVerifier(made["secret"], Standing(made["now"]))
        valid = verifier.is_valid(row["body"], row["at"], row["signature"])
        yield row["name"], [] if valid == row["valid"] else [f"is {valid}, though meant to be {row['valid']}"]


def judged_by_the_stand_in():
    """Every list of blocks that the stand-in judged, with what it said; nothing where it took them."""
    for path in sorted((ROOT / "target/tmp").glob("slack-judged-*.json")):
        for row in json.loads(path.read_text(encoding="utf-8")):
            yield row["name"], row["blocks"], row["refused"]


def stand_in_takes_no_more_than_they():
    """What the types or the models refuse, the stand-in refuses. It may refuse more: both are blind to much of what Slack refuses."""
    literals = Literals(ROOT, "slack-judged", IMPORTS)
    rows = [(name, blocks, refused) for name, blocks, refused in judged_by_the_stand_in() if not refused]
    for name, blocks, _ in rows:
        literals.add(name, "T.KnownBlock[]", blocks)
    for (name, faults), (_, blocks, _) in zip(literals.faults(), rows, strict=True):
        yield name, [*faults, *(fault for block in blocks for fault in faults_by_models(Block.parse, block))]


def planted():
    """Faults on purpose: every reader must find its own, or it reads nothing."""
    literals = Literals(ROOT, "slack-planted", IMPORTS)
    button = {"type": "button", "action_id": "a", "text": {"type": "plain_text", "text": "x" * 76}}
    literals.add("an unknown key", "T.KnownBlock", {"type": "divider", "surprise": 1})
    literals.add("no text", "T.KnownBlock", {"type": "header"})
    literals.add("an unknown argument", METHODS["chat.update"], {"channel": "C", "ts": "1", "text": "", "surprise": 1})
    for name, faults in literals.faults():
        yield name, [] if faults else ["is not found"]
    long = {"type": "actions", "elements": [button]}
    yield "a long label", [] if faults_by_models(Block.parse, long) else ["is not found"]


if __name__ == "__main__":
    if sys.argv[2:] == ["sign"]:
        SIGNED.write_text(json.dumps(judged(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        sys.exit()
    shapes = [planted, goldens_by_types, blocks_by_models, views_by_models]
    sys.exit(not report([*shapes, signatures_for_our_route, signatures_of_the_stand_in, stand_in_takes_no_more_than_they]))
