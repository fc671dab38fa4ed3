"""What we send to and take from Discord, read by programs nobody here wrote.

discord-api-types takes every golden and every recorded event, with no key that it does not know; simcord, a Discord of its own,
is sent every golden and must take it. `discord_shapes.py ROOT`: exit 1 on any fault, and when there is nothing to look at.
"""

import asyncio
import json
import re
import sys
from pathlib import Path

import discord
import simcord
from simcord import interactions
from simcord.backend.errors import BackendError
from simcord.http import router
from vendor_types import Literals, goldens, report

ROOT = Path(sys.argv[1])
IMPORTS = ['import type * as D from "discord-api-types/v10";']
# Recorded on purpose as the platform sends none of them: each must be found faulty.
BROKEN = {
    "an empty message",
    "an empty interaction",
    "a message of the wrong shape",
    "a message with spoilt fields",
    "a button of a message that is not told",
}
# Nothing is known of it.
UNKNOWN = {"a kind that nobody knows"}
# The platform sends them; the documents, and the types with them, do not have them. Each key with one that stands beside it.
UNDOCUMENTED = [
    ("id", "component_type"),
    ("permissions", "last_message_id"),
    ("unusual_dm_activity_until", "joined_at"),
    ("clan", "username"),
    ("description", "hoist"),
    ("template", "available_tags"),
    ("entitlement_sku_ids", "entitlements"),
    ("hook", "bot_public"),
    ("type", "bot_public"),
]
BODIES = [
    ("POST", r"channels/\{channel\}/messages", "D.RESTPostAPIChannelMessageJSONBody"),
    ("PATCH", r"channels/\{channel\}/messages/\d+", "D.RESTPatchAPIChannelMessageJSONBody"),
    ("PATCH", r"channels/\{channel\}", "D.RESTPatchAPIChannelJSONBody"),
    ("POST", r"users/@me/channels", "D.RESTPostAPICurrentUserCreateDMChannelJSONBody"),
]
EVENTS = {
    "MESSAGE_CREATE": "D.GatewayMessageCreateDispatchData",
    "MESSAGE_UPDATE": "D.GatewayMessageUpdateDispatchData",
    "MESSAGE_DELETE": "D.GatewayMessageDeleteDispatchData",
    "INTERACTION_CREATE": "D.GatewayInteractionCreateDispatchData",
    "READY": "D.GatewayReadyDispatchData",
    "CHANNEL_CREATE": "D.GatewayChannelCreateDispatchData",
    "THREAD_CREATE": "D.GatewayThreadCreateDispatchData",
}
# Texts that TypeScript wants as members of an enum, and sets of bits, of which it knows each bit but not their sums.
MEMBERS = [
    (r'"((?:guild_)?locale)": ("[a-z]+(?:-[A-Z]+)?")', r'"\1": (\2 as D.Locale)'),
    (r'"type": ("[a-z_]+")', r'"type": (\1 as D.EmbedType)'),
    (r'"((?:public_)?flags)": (\d+)', r'"\1": (\2 as never)'),
]


def calls():
    """Every golden call: its name, method, path and body."""
    for name, golden in goldens(ROOT, "adapters/discord/src/encode"):
        for index, call in enumerate(golden):
            if "method" in call:
                yield f"{name}[{index}]", call["method"], call["path"], call["body"]


def answers():
    """Every golden that answers an interaction: its name, whether it is what follows, and the answer."""
    for _, golden in goldens(ROOT, "adapters/discord/src/encode"):
        for row in golden:
            if "answer" in row:
                yield row["name"], "type" not in row["answer"], row["answer"]


def goldens_by_types():
    literals = Literals(ROOT, "discord-goldens", IMPORTS)
    for name, method, path, body in calls():
        known = [kind for of, pattern, kind in BODIES if of == method and re.fullmatch(pattern, path)]
        literals.add(name, known[0] if known else "never", body)
    for name, follows, answer in answers():
        kind = "D.RESTPostAPIInteractionFollowupJSONBody" if follows else "D.APIInteractionResponse"
        literals.add(name, kind, answer)
    return literals.faults()


def as_documented(value):
    """The value without what the platform sends beside what its documents tell, at any depth."""
    if isinstance(value, list):
        return [as_documented(item) for item in value]
    if not isinstance(value, dict):
        return value
    left_out = {key for key, beside in UNDOCUMENTED if beside in value}
    return {key: as_documented(item) for key, item in value.items() if key not in left_out}


def recorded_by_types():
    literals = Literals(ROOT, "discord-recorded", IMPORTS)
    for row in json.loads((ROOT / "adapters/discord/tests/events.json").read_text(encoding="utf-8")):
        if row["name"] not in UNKNOWN:
            literals.add(row["name"], EVENTS[row["event"]], as_documented(row["data"]), MEMBERS)
    for name, faults in literals.faults():
        if name in BROKEN:
            faults = [] if faults else ["is nothing strange, though it is meant to be"]
        yield name, faults


def goldens_by_simcord():
    return asyncio.run(sent_to_simcord())


async def sent_to_simcord():
    results = []
    async with simcord.run(discord.Client(intents=discord.Intents.all())) as env:
        guild = env.create_guild("Team")
        channel = guild.create_text_channel("deploys")
        person = guild.add_member(env.create_user("sam"))
        backend = env.backend

        def send(name, method, path, body):
            try:
                router.dispatch(backend, method, path, json=body)
                results.append((name, []))
            except BackendError as error:
                results.append((name, [str(error)]))

        def pressed():
            data = {"custom_id": "t.1", "component_type": 2}
            where = {"channel_id": channel.id, "guild_id": guild.id, "user_id": person.id}
            return interactions.base_payload(backend, type=3, data=data, **where)[0]

        for name, method, path, body in calls():
            if path == "users/@me/channels":
                body = {"recipient_id": str(person.id)}
            elif method == "PATCH" and "/messages/" in path:
                shown = backend.create_message(channel.id, backend.bot_user.id, "Which?")
                path = f"channels/{{channel}}/messages/{shown.id}"
            elif method == "PATCH":
                # A thread is re-opened; simcord knows no archived text channel.
                continue
            send(name, method, "/" + path.replace("{channel}", str(channel.id)), body)
        for name, follows, answer in answers():
            press = pressed()
            if follows:
                press.defer_update()
                send(name, "POST", f"/webhooks/{backend.application_id}/{press.token}", answer)
            else:
                send(name, "POST", f"/interactions/{press.id}/{press.token}/callback", answer)
    return results


def judged_by_the_stand_in():
    """Every body of a message that the stand-in judged: its name, method, body, and `ok` or what it said."""
    for path in sorted((ROOT / "target/tmp").glob("discord-judged-*.json")):
        for judged in json.loads(path.read_text(encoding="utf-8")):
            row = judged["row"]
            about_message = row["path"] in ("/channels/$text/messages", "/channels/$text/messages/$mine")
            if about_message and "$" not in json.dumps(row["body"]):
                yield row["name"], row["method"], row["body"], judged["told"]


def stand_in_by_types():
    """Every event and answer that the stand-in makes."""
    made = json.loads((ROOT / "target/tmp/discord-stand-in.json").read_text(encoding="utf-8"))
    literals = Literals(ROOT, "discord-stand-in", IMPORTS)
    for index, row in enumerate(made["events"]):
        kind = EVENTS.get(row["event"], "never")
        literals.add(f"{row['event']}[{index}]", kind, as_documented(row["data"]), MEMBERS)
    for answer in made["answers"]:
        literals.add(answer["type"], answer["type"], as_documented(answer["value"]), MEMBERS)
    return literals.faults()


def stand_in_takes_no_more_than_the_types():
    literals = Literals(ROOT, "discord-judged", IMPORTS)
    kinds = {"POST": BODIES[0][2], "PATCH": BODIES[1][2]}
    for name, method, body, told in judged_by_the_stand_in():
        if told == "ok" and method in kinds:
            literals.add(name, kinds[method], body, MEMBERS)
    return literals.faults()


def stand_in_takes_no_more_than_simcord():
    return asyncio.run(judged_by_simcord())


async def judged_by_simcord():
    """Bodies that simcord refuses, with a fault where the stand-in takes them."""
    results = []
    async with simcord.run(discord.Client(intents=discord.Intents.all())) as env:
        guild = env.create_guild("Team")
        channel = guild.create_text_channel("deploys")
        for name, method, body, told in judged_by_the_stand_in():
            mine = env.backend.create_message(channel.id, env.backend.bot_user.id, "Which?")
            path = f"/channels/{channel.id}/messages" + (f"/{mine.id}" if method != "POST" else "")
            try:
                router.dispatch(env.backend, method, path, json=body)
            except BackendError as error:
                results.append((name, [str(error)] if told == "ok" else []))
            else:
                results.append((name, []))
    return results


if __name__ == "__main__":
    shapes = [goldens_by_types, recorded_by_types, goldens_by_simcord, stand_in_by_types]
    sys.exit(not report([*shapes, stand_in_takes_no_more_than_the_types, stand_in_takes_no_more_than_simcord]))
