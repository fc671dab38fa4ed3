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


async def impatient():
    """A client that gives up after two seconds, and a person who needs four."""
    arguments = {"question": "Shall it go slowly?", "idempotency_key": "slowly"}
    async with Client(stdio(), mode="legacy", read_timeout_seconds=2) as client:
        for tries in range(10):
            try:
                result = await client.call_tool("ask_confirm", arguments)
                break
            except Exception as error:
                print(f"   gave up: {str(error)[:60]}")
        check("a client that gives up gets the answer by calling again", result.structured_content["confirmed"], True)
        check("and had to", tries > 0, True)


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


async def fast(name, transport):
    async with FastClient(transport) as client:
        result = await client.call_tool("ask_confirm", {"question": f"May fastmcp go on over {name}?"})
        check(f"fastmcp, {name}: a person says yes", result.structured_content["confirmed"], True)


async def main():
    for era in ["legacy", "2026-07-28"]:
        await official(era, "stdio", stdio())
        await official(era, "http", http())
    await impatient()
    await forms()
    await fast("stdio", StdioTransport(command=askrelay, args=["mcp"], env=here))
    await fast("http", StreamableHttpTransport(url, headers={"Authorization": f"Bearer {token}"}))
    print(f"{checks} passed, 0 failed")


asyncio.run(main())
