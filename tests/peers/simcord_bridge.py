"""Serves simcord, a Discord that nobody here wrote, over real HTTP and a real gateway WebSocket, and lets a test play the person.

`simcord_bridge.py`: says on its first line, as JSON, where it is and who is in it; ends when its input ends. Exit 1 when it had
to refuse the shape of what the bot sent (50035, or a route or field that simcord does not know); each refusal is a line on stderr.
Judges nothing else: what the bot should have done is the test's business.
"""

import asyncio
import json
import sys
import time
from types import SimpleNamespace

import discord
import simcord
from aiohttp import WSMsgType, web
from simcord import _modal, actors
from simcord.backend import serializers
from simcord.backend.errors import BackendError
from simcord.gateway import FakeGateway
from simcord.http import router

TOKEN = "simcord.bridge.token"
HEARTBEAT_MS = 41_250
# Ours alone: a bot that sends it did not follow the documents.
INVALID_FORM = 50_035
UNAUTHORIZED = {"message": "401: Unauthorized", "code": 0}


class Parsers:
    """Takes every event, where discord.py has a method for each."""

    def __init__(self, take):
        self._take = take

    def __getitem__(self, event):
        return lambda payload: self._take(event, payload)


class Session:
    """What one IDENTIFY began: every event since, numbered, so that it can be taken up again."""

    def __init__(self, bridge, intents):
        self.sent = []
        self.socket = None
        state = SimpleNamespace(intents=discord.Intents._from_value(intents), parsers=Parsers(self.take))
        # simcord's own filter of intents and of what may be read without the Message Content intent.
        self.gateway = FakeGateway(bridge.backend, state)

    def take(self, event, payload):
        frame = {"op": 0, "t": event, "s": len(self.sent) + 1, "d": payload}
        self.sent.append(frame)
        self.send(frame)

    def send(self, frame):
        if self.socket is not None and not self.socket.closed:
            self.socket.outbox.put_nowait(frame)


class Socket(web.WebSocketResponse):
    def __init__(self):
        super().__init__()
        self.outbox = asyncio.Queue()

    async def pump(self):
        while True:
            await self.send_str(json.dumps(await self.outbox.get()))


class Bridge:
    def __init__(self, env):
        self.env, self.backend = env, env.backend
        self.guild = env.create_guild("Team")
        self.team = self.guild.create_text_channel("deploys")
        self.person = self.guild.add_member(env.create_user("sam"))
        self.direct = self.person.user.dm_channel
        self.session, self.sockets, self.is_cut = None, set(), False
        self.presses, self.calls, self.faults = [], [], 0
        self.ready = asyncio.Event()
        self.began = time.monotonic()
        self.backend.subscribers.append(self.emitted)

    def emitted(self, event, payload):
        if self.session is not None:
            self.session.gateway.feed(event, payload)

    def pass_time(self):
        """simcord's clock stands still by itself; the bot lives in real time, and so do its deadlines."""
        self.backend.advance_clock(max(0.0, time.monotonic() - self.began - self.backend.clock.elapsed))

    # The platform.

    async def rest(self, request):
        self.pass_time()
        if self.is_cut:
            request.transport.abort()
            return web.Response()
        if request.headers.get("Authorization") != f"Bot {TOKEN}":
            return web.json_response(UNAUTHORIZED, status=401)
        path = "/" + request.match_info["path"]
        # The same answer under the name that bots use since 2023.
        known = "/oauth2/applications/@me" if path == "/applications/@me" else path
        body = await request.read()
        if body and request.headers.get("Content-Type") != "application/json":
            return self.refuse(request, path, BackendError(400, INVALID_FORM, "the body is not application/json"))
        if (request.method, path) == ("GET", "/gateway/bot"):
            # simcord has no gateway of its own: it is this bridge's, which has room for every session.
            limit = {"total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": 1}
            return web.json_response({"url": f"ws://{request.host}", "shards": 1, "session_start_limit": limit})
        try:
            sent = json.loads(body) if body else None
            answer = router.dispatch(
                self.backend,
                request.method,
                known,
                json=sent,
                params=dict(request.query),
                message_content_access=False,
            )
        except BackendError as error:
            return self.refuse(request, path, error)
        self.calls.append((path, 200))
        wants_nothing = path.endswith("/callback") and request.query.get("with_response") != "true"
        return web.Response(status=204) if answer is None or wants_nothing else web.json_response(answer)

    def refuse(self, request, path, error):
        self.calls.append((path, error.status))
        if error.code == INVALID_FORM or error.status == 501:
            self.faults += 1
            print(f"{request.method} {path}: {error}", file=sys.stderr)
        return web.json_response(error.to_json(), status=error.status)

    async def gateway(self, request):
        if self.is_cut:
            request.transport.abort()
            return web.Response()
        socket = Socket()
        await socket.prepare(request)
        self.sockets.add(socket)
        pump = asyncio.create_task(socket.pump())
        socket.outbox.put_nowait({"op": 10, "d": {"heartbeat_interval": HEARTBEAT_MS}})
        try:
            async for message in socket:
                if message.type == WSMsgType.TEXT:
                    self.heard(socket, json.loads(message.data))
        finally:
            pump.cancel()
            self.sockets.discard(socket)
        return socket

    def heard(self, socket, frame):
        data = frame.get("d")
        match frame["op"]:
            case 1:
                socket.outbox.put_nowait({"op": 11})
            case 2 if data["token"] == TOKEN:
                self.session = Session(self, data["intents"])
                self.session.socket = socket
                self.begin(f"ws://{self.address}")
            case 6 if self.session is not None and data["session_id"] == self.session_id:
                self.session.socket = socket
                for missed in self.session.sent[data["seq"] :]:
                    self.session.send(missed)
                self.session.take("RESUMED", {})
            case 2:
                asyncio.ensure_future(socket.close(code=4004))
            case 6:
                socket.outbox.put_nowait({"op": 9, "d": False})

    session_id = "bridge-session"

    def begin(self, url):
        me = dict(serializers.user_payload(self.backend.bot_user))
        guilds = [{"id": str(guild.id), "unavailable": True} for guild in self.backend.guilds.values()]
        application = {"id": str(self.backend.application_id), "flags": 0}
        ready = {"v": 10, "user": me, "guilds": guilds, "session_id": self.session_id, "resume_gateway_url": url}
        self.session.take("READY", {**ready, "application": application})
        for guild in self.backend.guilds.values():
            self.session.gateway.feed("GUILD_CREATE", serializers.guild_create_payload(self.backend, guild))
        self.ready.set()

    # The person.

    async def act(self, request):
        self.pass_time()
        what = json.loads(await request.read() or b"{}")
        try:
            return web.json_response(await getattr(self, f"act_{request.match_info['act']}")(**what))
        except (simcord.SetupError, BackendError) as error:
            return web.json_response({"error": str(error)}, status=409)

    async def act_ready(self):
        await self.ready.wait()

    def stored(self, channel, message):
        return self.backend.get_message(int(channel), int(message))

    def actor(self, channel):
        return self.person.user if int(channel) == self.direct.id else self.person

    async def act_write(self, channel, text, mention=False):
        where = self.direct if int(channel) == self.direct.id else self.team
        text = f"<@{self.backend.bot_user.id}> {text}" if mention else text
        if where is self.direct:
            return str((await self.person.user.send_dm(text)).id)
        return str((await self.person.send(where, text)).id)

    async def act_press(self, channel, message, token):
        """As one presses who sees an old screen: whether or not the button still stands there."""
        stored = self.stored(channel, message)
        data = {"custom_id": token, "component_type": 2}
        return self.pressed(await actors._component_interaction(self.actor(channel), stored, data))

    async def act_click(self, channel, message, label):
        shown = simcord.ResponseMessage(self.env, self.stored(channel, message))
        return self.pressed(await self.actor(channel).click(shown, label=label))

    async def act_select(self, channel, message, values):
        shown = simcord.ResponseMessage(self.env, self.stored(channel, message))
        return self.pressed(await self.actor(channel).select(shown, values))

    async def act_submit(self, press, values):
        """Values in the order in which the modal's controls stand."""
        shown = self.presses[press]
        actor = self.actor(shown._interaction.channel_id)
        controls = _modal._modal_controls(shown.modal)
        named = {control["custom_id"]: value for control, value in zip(controls, values, strict=True)}
        return self.pressed(await actor.submit_modal(shown, named))

    def pressed(self, result):
        self.presses.append(result)
        return len(self.presses) - 1

    async def act_answered(self, press):
        """How the bot answered it, once it did."""
        result = self.presses[press]
        interaction = result._interaction
        while not result.acknowledged:
            await asyncio.sleep(0.002)
        words = result.response.content if interaction.response_kind == "message" else None
        path = f"/interactions/{interaction.id}/{interaction.token}/callback"
        return {
            "kind": str(interaction.response_kind.value),
            "words": words,
            "ephemeral": interaction.ephemeral,
            "modal": result.modal,
            "follows": [follow.content for follow in result.followups],
            "times": sum(call == path for call, _ in self.calls),
        }

    async def act_seen(self, channel):
        messages = self.backend.messages[int(channel)].values()
        return [serializers.message_payload(self.backend, message) for message in messages]

    async def act_repeat(self):
        last = self.session.sent[-1]
        self.session.take(last["t"], last["d"])

    async def act_cut(self):
        self.is_cut = True
        for socket in list(self.sockets):
            socket._req.transport.abort()

    async def act_mend(self):
        self.is_cut = False


async def until_input_ends():
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


async def main():
    async with simcord.run(discord.Client(intents=discord.Intents.all())) as env:
        bridge = Bridge(env)
        app = web.Application()
        app.router.add_route("*", "/api/v10/{path:.*}", bridge.rest)
        app.router.add_post("/person/{act}", bridge.act)
        app.router.add_get("/", bridge.gateway)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        bridge.address = "{}:{}".format(*site._server.sockets[0].getsockname())
        who = {"address": bridge.address, "token": TOKEN, "person": str(bridge.person.id)}
        places = {"direct": str(bridge.direct.id), "team": str(bridge.team.id)}
        print(json.dumps(who | places), flush=True)
        await until_input_ends()
        await runner.cleanup()
    sys.exit(bridge.faults > 0)


if __name__ == "__main__":
    asyncio.run(main())
