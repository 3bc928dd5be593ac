"""A short research task by a client of the Model Context Protocol in Python. What it found is printed as JSON.

Usage: mcp_clients.py sdk|fastmcp < configuration, as `filinglake mcp --config` prints it
"""

import asyncio
import json
import sys


def rows(answer):
    """Rows as objects, as the instructions of the server say."""
    columns = answer.get("columns")
    return [{**answer.get("same", {}), **(dict(zip(columns, row)) if columns else row)} for row in answer["rows"]]


async def research(call):
    found = await call("find_filings", {"forms": ["10-K"]})
    number = rows(found)[0]["accession_number"]
    parts = rows(await call("outline", {"accession_number": number}))
    section = next(part["section"] for part in parts if part["part"] == "section")
    read = await call("read", {"accession_number": number, "section": section, "budget": 3000})
    rest = await call(
        "read", {"accession_number": number, "section": section, "budget": 3000, "cursor": read["next"]}
    ) if "next" in read else None
    citations = [read["citation"]] + ([rest["citation"]] if rest else [])
    verdicts = rows(await call("verify", {"citations": citations}))
    wrong = await call("read", {"accession_number": "none"})
    return {"count": found["count"], "read": read, "verdicts": verdicts, "error": wrong["error"]["code"]}


async def by_sdk(server):
    import httpx2
    from mcp import Client, StdioServerParameters
    from mcp.client.streamable_http import streamable_http_client

    if "url" in server:
        http = httpx2.AsyncClient(headers=server["headers"], timeout=60)
        target = streamable_http_client(server["url"], http_client=http)
    else:
        target = StdioServerParameters(command=server["command"], args=server["args"], env=server["env"])
    async with Client(target) as client:
        async def call(name, args):
            return json.loads((await client.call_tool(name, args)).content[0].text)

        tools = [tool.name for tool in (await client.list_tools()).tools]
        return {"tools": tools, **await research(call)}


async def by_fastmcp(config):
    from fastmcp import Client

    async with Client(config) as client:
        async def call(name, args):
            answer = await client.call_tool(name, args, raise_on_error=False)
            return json.loads(answer.content[0].text)

        tools = [tool.name for tool in await client.list_tools()]
        return {"tools": tools, **await research(call)}


config = json.load(sys.stdin)
work = by_sdk(config["mcpServers"]["filinglake"]) if sys.argv[1] == "sdk" else by_fastmcp(config)
print(json.dumps(asyncio.run(work)))
