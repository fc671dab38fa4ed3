"""Asks through askrelay with the official Python SDK and with fastmcp: over standard input and output and over HTTP, in both eras; a person
on the stand-in answers. Prints one line a check; any failure ends it.
Usage: mcp_clients.py ASKRELAY URL TOKEN"""

import asyncio
import os
import sys

import httpx2
from fastmcp import Client as FastClient
from fastmcp.client.transports import StdioTransport, StreamableHttpTransport
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

askrelay, url, token = sys.argv[1:4]
here = dict(os.environ)
checks = 0


def check(name, found, expected):
    global checks
    assert found == expected, f"{name}: {found!r}, expected {expected!r}"
    checks += 1
    print(f"ok {checks} {name}")


def stdio():
    return StdioServerParameters(command=askrelay, args=["mcp"], env=here)


def http():
    return streamable_http_client(url, http_client=httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=60))


async def official(era, name, server):
    async with Client(server, mode=era) as client:
        tools = {tool.name for tool in (await client.list_tools()).tools}
        check(f"mcp, {era}, {name}: the tools are offered", {"ask_choice", "get_answer"} <= tools, True)
        result = await client.call_tool("ask_confirm", {"question": f"May mcp go on in {era} over {name}?"})
        check(f"mcp, {era}, {name}: a person says yes", result.structured_content["confirmed"], True)
        check(f"mcp, {era}, {name}: by chat", result.structured_content["via"], "chat")


async def impatient(name, client):
    """A client that gives up after two seconds, and a person who needs four."""
    question = f"Shall it go slowly for {name}?"
    async with client:
        for tries in range(10):
            try:
                result = await client.call_tool("ask_confirm", {"question": question, "idempotency_key": question})
                break
            except Exception as error:
                assert "timed out" in str(error).lower(), error
        check(f"{name}: cut calls get the answer when made again", (result.structured_content["confirmed"], tries > 0), (True, True))


async def form(context, params):
    from mcp_types import ElicitResult

    fields = params.requested_schema["properties"]
    return ElicitResult(action="accept", content={"choice": fields["choice"]["enum"][0]})


async def forms():
    """The client's own form, where no chat is set up."""
    scratch = os.path.join(here["SCRATCH"], "no-chat")
    os.makedirs(scratch, exist_ok=True)
    server = StdioServerParameters(command=askrelay, args=["mcp"], env={**here, "ASKRELAY_HOME": scratch, "HIM_AUTO_REJECT_MS": "0"})
    for era in ["legacy", "2026-07-28"]:
        async with Client(server, mode=era, elicitation_callback=form) as client:
            options = [{"label": "Staging"}, {"label": "Production"}]
            result = await client.call_tool("ask_choice", {"question": f"Where to, in {era}?", "options": options})
            check(f"mcp, {era}: the client's own form answers", result.structured_content["answer"], "Staging")


def fast_ways():
    return [
        ("stdio", StdioTransport(command=askrelay, args=["mcp"], env=here)),
        ("http", StreamableHttpTransport(url, headers={"Authorization": f"Bearer {token}"})),
    ]


async def fast(era, name, transport):
    async with FastClient(transport, mode=era) as client:
        check(f"fastmcp, {era}, {name}: the revision", client.protocol_version, "2025-11-25" if era == "legacy" else era)
        result = await client.call_tool("ask_confirm", {"question": f"May fastmcp go on in {era} over {name}?"})
        check(f"fastmcp, {era}, {name}: a person says yes", result.structured_content["confirmed"], True)


async def main():
    for era in ["legacy", "2026-07-28"]:
        await official(era, "stdio", stdio())
        await official(era, "http", http())
    await forms()
    waiting = []
    for era in ["legacy", "2026-07-28"]:
        for name, transport in fast_ways():
            await fast(era, name, transport)
        for name, server in [("stdio", stdio()), ("http", http())]:
            waiting.append(impatient(f"mcp in {era} over {name}", Client(server, mode=era, read_timeout_seconds=2)))
        for name, transport in fast_ways():
            waiting.append(impatient(f"fastmcp in {era} over {name}", FastClient(transport, mode=era, timeout=2)))
    await asyncio.gather(*waiting)
    print(f"{checks} passed, 0 failed")


asyncio.run(main())
