"""What we send to and take from Telegram, read by programs nobody here wrote.

aiogram's models take every golden payload and every recorded update, with no key that they do not know; Telegram's own library
takes every text with its entities. The same two look at our stand-in: at what it makes, and at whether it refuses what the
library refuses, in its words. `telegram.py ROOT`: exit 1 on any fault, and when there is nothing to look at.
"""

import json
import sys
from pathlib import Path

import aiogram.methods
import aiogram.types
import tdjson
from pydantic import BaseModel, ValidationError

# Recorded on purpose as no platform sends them: each must be found faulty.
BROKEN = {
    "fields of the wrong shape",
    "a name nobody gave",
    "a message without a chat",
    "a text that is no text",
    "a kind of update nobody knows",
    "an entity of a kind nobody knows",
}
# The server still sends it in groups; the documentation, and aiogram with it, no longer has it.
LEGACY = {"all_members_are_administrators"}


def unknown_keys(value, path):
    """Keys in a parsed model that the model does not declare, at any depth."""
    if isinstance(value, BaseModel):
        yield from (f"{path}.{key}: unknown" for key in value.model_extra or {} if key not in LEGACY)
        for name in type(value).model_fields:
            yield from unknown_keys(getattr(value, name), f"{path}.{name}")
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from unknown_keys(item, f"{path}[{index}]")


def faults_of(model, value, strict=False):
    try:
        parsed = model.model_validate_json(json.dumps(value), strict=strict)
    except ValidationError as error:
        return [f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors()]
    return list(unknown_keys(parsed, model.__name__))


def execute(request):
    return json.loads(tdjson.td_execute(json.dumps(request).encode()))


def library_kind(entity):
    """An entity's type in the library's own words."""
    plain = {
        "bold": "Bold",
        "italic": "Italic",
        "underline": "Underline",
        "strikethrough": "Strikethrough",
        "spoiler": "Spoiler",
        "code": "Code",
        "pre": "Pre",
        "blockquote": "BlockQuote",
        "expandable_blockquote": "ExpandableBlockQuote",
    }
    match entity["type"]:
        case "text_link":
            return {"@type": "textEntityTypeTextUrl", "url": entity["url"]}
        case "text_mention":
            return {"@type": "textEntityTypeMentionName", "user_id": entity["user"]["id"]}
        case kind:
            return {"@type": f"textEntityType{plain[kind]}"}


def refused_by_library(text, entities):
    """How the library refuses a text with entities, as the Bot API says it; None when it takes it."""
    listed = [
        {"@type": "textEntity", "offset": entity["offset"], "length": entity["length"], "type": library_kind(entity)}
        for entity in entities
    ]
    answer = execute({"@type": "getMarkdownText", "text": {"@type": "formattedText", "text": text, "entities": listed}})
    if answer["@type"] != "error":
        return None
    message = answer["message"]
    return f"Bad Request: {message[0].lower()}{message[1:]}"


def golden_calls(root):
    """Every golden that is a list of calls: (name, method, payload)."""
    for path in sorted((root / "adapters/telegram").rglob("*.snap")):
        body = path.read_text(encoding="utf-8").split("---\n", 2)[2]
        if body.lstrip().startswith("["):
            for index, call in enumerate(json.loads(body)):
                yield f"{path.stem}[{index}]", call["method"], call["payload"]


def check_goldens(root):
    for name, method, payload in golden_calls(root):
        model = getattr(aiogram.methods, method[0].upper() + method[1:], None)
        faults = [f"no method {method}"] if model is None else faults_of(model, payload, strict=True)
        if "text" in payload and method != "answerCallbackQuery":
            refused = refused_by_library(payload["text"], payload.get("entities", []))
            faults += [refused] if refused else []
        for row in payload.get("reply_markup", {}).get("inline_keyboard", []):
            links = [button["url"] for button in row if "url" in button]
            refused = [refused_by_library("x", [{"type": "text_link", "offset": 0, "length": 1, "url": url}]) for url in links]
            faults += [fault for fault in refused if fault]
        yield name, faults


def check_recorded(root):
    for row in json.loads((root / "adapters/telegram/tests/updates.json").read_text(encoding="utf-8")):
        faults = faults_of(aiogram.types.Update, row["update"])
        if row["name"] in BROKEN:
            faults = [] if faults else ["is nothing strange, though it is meant to be"]
        yield row["name"], faults


def check_stand_in(root):
    made = json.loads((root / "target/tmp/telegram-stand-in.json").read_text(encoding="utf-8"))
    for update in made["updates"]:
        yield json.dumps(update)[:200], faults_of(aiogram.types.Update, update)
    for answer in made["answers"]:
        yield answer["type"], faults_of(getattr(aiogram.types, answer["type"]), answer["value"])


def check_judgements(root):
    for case in json.loads((root / "target/tmp/telegram-judged.json").read_text(encoding="utf-8")):
        expected = refused_by_library(case["text"], [case["entity"]])
        said = case["refused"]
        yield json.dumps(case["entity"]), [] if said == expected else [f"the stand-in says {said}, the library {expected}"]


def main():
    root = Path(sys.argv[1])
    execute({"@type": "setLogVerbosityLevel", "new_verbosity_level": 0})
    failed = False
    for check in (check_goldens, check_recorded, check_stand_in, check_judgements):
        results = list(check(root))
        faulty = [(name, faults) for name, faults in results if faults]
        for name, faults in faulty:
            print(f"{check.__name__}: {name}: {'; '.join(faults)}")
        print(f"{check.__name__}: {len(results)} looked at, {len(faulty)} faulty")
        failed = failed or bool(faulty) or not results
    sys.exit(failed)


if __name__ == "__main__":
    main()
