import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { TOOLS } from "../../src/mcp/tools.ts";
import { SCOPES, type Scope } from "../../src/permissions/scopes.ts";
import { hostileText } from "../support/arbitrary.ts";
import { expectError, newWorkspace, send, type TestWorkspace } from "../support/harness.ts";
import { readStored } from "../support/resources.ts";

/** Model Context Protocol, used by its official client over Streamable HTTP. */

const ADDRESS = "http://localhost:8787/mcp";

/** Connects the official client with a key. */
async function connect({ key }: TestWorkspace): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL(ADDRESS), {
    fetch: (url, init) => send(new Request(url, init)),
    requestInit: { headers: { Authorization: `Bearer ${key}` } },
  });
  await client.connect(transport);
  return client;
}

/** Sends a message without a client. */
function post(key: string | null, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return send(
    new Request(ADDRESS, {
      method: "POST",
      body: typeof body === "string" ? body : JSON.stringify(body),
      headers: {
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        ...(key !== null && { Authorization: `Bearer ${key}` }),
        ...headers,
      },
    }),
  );
}

/** Returns the number of calls of this month, including this one. */
async function countCalls({ call }: TestWorkspace): Promise<number> {
  const { data }: { data: { usage: { api_calls_this_month: number } } } = await (
    await call("GET", "/v1/workspace/usage")
  ).json();
  return data.usage.api_calls_this_month;
}

/** Reads a response's message: JSON, or one server-sent event. */
function readMessage(text: string) {
  return JSON.parse(/^data: ?(.*)$/m.exec(text)?.[1] ?? text);
}

interface Result {
  isError?: boolean;
  structuredContent: { data: unknown };
  content: { type: string; text: string; data: string; mimeType: string }[];
}

const callTool = async (client: Client, name: string, given: Record<string, unknown> = {}) =>
  (await client.callTool({ name, arguments: given })) as unknown as Result;

describe("tools", () => {
  test("are at most 25, with self-contained descriptions that say when to use them", async () => {
    const { tools } = await (await connect(await newWorkspace())).listTools();
    expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name));
    expect(tools.length).toBeLessThanOrEqual(25);
    for (const { name, title, description, inputSchema, outputSchema, annotations } of tools) {
      expect(name).toMatch(/^[a-z]+(?:_[a-z]+)+$/);
      expect([title, description].every((text) => text !== undefined && text !== "")).toBe(true);
      expect(inputSchema.additionalProperties).toBe(false);
      expect(JSON.stringify([inputSchema, outputSchema])).not.toContain("#/components/");
      expect(JSON.stringify(inputSchema)).not.toMatch(/"(?:password_hash|logo_url)"/);
      expect(annotations?.openWorldHint).toBe(name.endsWith("_qr_code"));
    }
    const hints = tools.map(({ name, annotations: hint }) => [
      name,
      hint?.readOnlyHint,
      hint?.destructiveHint,
      hint?.idempotentHint,
    ]);
    expect(hints).toContainEqual(["list_links", true, false, true]);
    expect(hints).toContainEqual(["explain_link", true, false, true]);
    expect(hints).toContainEqual(["draw_qr_code", true, false, true]);
    expect(hints).toContainEqual(["create_link", false, false, false]);
    expect(hints).toContainEqual(["get_link_qr_code", false, false, true]);
    expect(hints).toContainEqual(["update_link", false, true, true]);
    expect(hints).toContainEqual(["revert_link", false, true, false]);
    expect(hints).toContainEqual(["unpublish_bio_page", false, true, false]);
    expect(hints).toContainEqual(["delete_link", false, true, true]);
    expect(hints).toContainEqual(["restore_link", false, false, false]);
    const draw = tools.find(({ name }) => name === "draw_qr_code");
    expect(Object.keys(draw?.inputSchema.properties ?? {})).not.toContain("format");
    expect(draw?.inputSchema.required).toEqual(["content"]);
  });

  test.each(SCOPES.map((scope) => [scope]))(
    "with the scope %s are the only ones listed and callable with it",
    async (scope) => {
      const workspace = await newWorkspace();
      const client = await connect(workspace.as(await workspace.newKey({ scopes: [scope as Scope] })));
      const { tools } = await client.listTools();
      const names = tools.map(({ name }) => name);
      expect(names.includes("list_links")).toBe(scope === "links:read");
      expect(names.includes("create_link")).toBe(scope === "links:write");
      expect(names.includes("get_usage")).toBe(scope === "workspace:read");
      if (scope !== "links:write") {
        const refused = await callTool(client, "create_link", { url: "https://example.com/" });
        expect(refused).toMatchObject({ isError: true });
        expect(refused.content[0]?.text).toBe("INSUFFICIENT_SCOPE: this key lacks the scope links:write");
      }
    },
  );
});

test("a model creates, finds, changes, diagnoses, renders, analyses, deletes and restores a link", async () => {
  const workspace = await newWorkspace();
  const client = await connect(workspace);
  const made = await callTool(client, "create_link", {
    url: "https://example.com/a",
    custom_slug: "talk",
    labels: ["ai"],
  });
  const { id: link_id, short_url } = made.structuredContent.data as {
    id: string;
    short_url: string;
  };
  expect(JSON.parse(made.content[0]?.text ?? "")).toMatchObject({ short_code: "talk" });
  const found = await callTool(client, "list_links", { search: "talk", limit: 5 });
  expect(found.structuredContent.data).toMatchObject([{ id: link_id }]);
  const routing_rules = [{ when: { os: ["ios"] }, destination: "https://example.com/ios" }];
  await callTool(client, "update_link", { link_id, routing_rules });
  const why = await callTool(client, "explain_link", { link_id, os: "android" });
  expect(why.structuredContent.data).toMatchObject({
    destination: "https://example.com/a",
    rules: [{ matched: false, failed: "os", seen: "android" }],
  });
  const picture = await callTool(client, "get_link_qr_code", { link_id });
  expect(picture.content).toEqual([
    { type: "image", mimeType: "image/png", data: expect.stringMatching(/^iVBORw0KGgo/) },
  ]);
  const scans = await callTool(client, "get_scans_over_time", { interval: "day", link_id });
  expect(scans.isError).toBeUndefined();
  const history = await callTool(client, "get_link_history", { link_id });
  expect(history.structuredContent.data).toHaveLength(2);
  expect(await callTool(client, "delete_link", { link_id })).toMatchObject({
    structuredContent: { data: { deleted: true } },
  });
  const gone = await callTool(client, "get_link", { link_id });
  expect(gone).toEqual({
    isError: true,
    content: [{ type: "text", text: expect.stringMatching(/^RESOURCE_NOT_FOUND: /) }],
  });
  const trash = await callTool(client, "list_links", { deleted: true });
  expect(trash.structuredContent.data).toMatchObject([{ id: link_id, deleted_at: expect.any(String) }]);
  expect((await callTool(client, "restore_link", { link_id })).structuredContent.data).toMatchObject({
    short_url,
  });
  expect(short_url).toContain("/talk");
});

describe("invalid calls by a model return an error that explains the correction", () => {
  test.each<[string, Record<string, unknown>, RegExp]>([
    ["create_link", {}, /^VALIDATION_ERROR: url/],
    ["create_link", { url: "javascript:alert(1)" }, /^VALIDATION_ERROR: url: must be an http or https URL/],
    ["create_link", { url: "https://example.com/", colour: "red" }, /colour: is not a known field/],
    [
      "create_link",
      { url: "https://example.com/", __proto__: { labels: 1 }, constructor: 1 },
      /constructor: is not a known field/,
    ],
    [
      "create_link",
      { url: "https://example.com/", password_hash: "x" },
      /^VALIDATION_ERROR: password_hash: is not/,
    ],
    ["list_links", { limit: 5_000 }, /limit: /],
    ["list_links", { limit: { $gt: 0 } }, /limit: /],
    ["list_links", { colour: "red" }, /colour: is not a known parameter/],
    ["get_link", {}, /^VALIDATION_ERROR: link_id: must be a UUID$/],
    ["get_link", { link_id: "export" }, /^VALIDATION_ERROR: link_id: must be a UUID$/],
    [
      "draw_qr_code",
      { content: "x", design: { logo_url: "https://a.example/?secret" } },
      /design.logo_url: is not/,
    ],
    ["draw_qr_code", { content: "x", template_id: crypto.randomUUID() }, /^RESOURCE_NOT_FOUND: The template/],
    [
      "get_link_qr_code",
      { link_id: crypto.randomUUID(), format: "svg" },
      /^link_not_found|RESOURCE_NOT_FOUND|not_found/,
    ],
    ["draw_qr_code", { content: "x".repeat(5_000) }, /content/],
    ["no_such_tool", {}, /^RESOURCE_NOT_FOUND: unknown tool;/],
  ])("%s %j", async (name, given, text) => {
    const client = await connect(await newWorkspace());
    const result = await callTool(client, name, given);
    expect(result.isError).toBe(true);
    expect(result.content[0]?.text).toMatch(text);
  });
});

test("60 calls with hostile arguments succeed or return an error text, and rejected calls change nothing", async () => {
  const workspace = await newWorkspace("enterprise");
  const tools = TOOLS.map(({ name }) => name);
  const { data: made }: { data: { id: string } } = await (
    await workspace.call("POST", "/v1/links", { body: { url: "https://example.com/" } })
  ).json();
  const hostile = fc.oneof(fc.constant(made.id), hostileText, fc.jsonValue({ maxDepth: 3 }));
  const names = fc.constantFrom(
    ...["link_id", "url", "custom_slug", "labels", "routing_rules", "content", "page_id", "search", "limit"],
    ...["__proto__", "constructor", "toString", "", "colour"],
  );
  const given = fc
    .array(fc.tuple(names, hostile), { maxLength: 4 })
    .map((pairs) => Object.fromEntries(pairs));
  const property = fc.asyncProperty(fc.constantFrom(...tools), given, async (tool, hostileArguments) => {
    const before = await readStored(workspace);
    const message = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: tool, arguments: hostileArguments },
    };
    const response = await post(workspace.key, message);
    expect(response.status).toBeLessThan(500);
    const body: { result?: Result; error?: { code: number; message: string } } = readMessage(
      await response.text(),
    );
    if (body.result === undefined) expect(body.error).toBeDefined();
    if (body.result?.isError) expect(body.result.content[0]?.text).toMatch(/^[A-Z_]+: ./);
    if (body.result === undefined || body.result.isError) expect(await readStored(workspace)).toBe(before);
  });
  await fc.assert(property, { numRuns: 60, seed: 1, endOnFailure: true });
});

const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list" };

describe("the MCP endpoint", () => {
  test("requires a key, a JSON object and POST", async () => {
    const { key } = await newWorkspace();
    await expectError(await post(null, LIST), 401, "INVALID_API_KEY");
    const wrongSecret = key.slice(0, -1) + (key.endsWith("x") ? "y" : "x");
    await expectError(await post(wrongSecret, LIST), 401, "INVALID_API_KEY");
    for (const body of ["{", 7, null, [], [7], Array(11).fill(LIST)]) {
      await expectError(await post(key, body), 400, "VALIDATION_ERROR");
    }
    await expectError(await post(key, LIST, { "Content-Type": "text/plain" }), 415, "UNSUPPORTED_MEDIA_TYPE");
    await expectError(await post(key, { ...LIST, params: "x".repeat(1_048_576) }), 413, "PAYLOAD_TOO_LARGE");
    for (const method of ["GET", "DELETE", "PUT"]) {
      const headers = { Authorization: `Bearer ${key}` };
      const refused = await send(new Request(ADDRESS, { method, headers }));
      await expectError(refused, 405, "METHOD_NOT_ALLOWED");
      expect(refused.headers.get("Allow")).toBe("POST");
    }
  });

  test.each([
    ["no method", { jsonrpc: "2.0", id: 1 }],
    ["an unknown method", { jsonrpc: "2.0", id: 1, method: "resources/list" }],
    ["no version", { id: 1, method: "tools/list" }],
    ["parameters of another type", { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: 7 } }],
    ["a method that is an object", { jsonrpc: "2.0", id: 1, method: {} }],
  ])("%s is a protocol error", async (_, message) => {
    const { key } = await newWorkspace();
    const response = await post(key, message);
    expect(await response.text()).toMatch(/"error":\{"code":-32\d{3}/);
  });

  test("needs no session: any isolate continues another isolate's conversation", async () => {
    const { key } = await newWorkspace();
    const response = await post(key, LIST, { "Mcp-Session-Id": "of an isolate that ended" });
    expect(response.status).toBe(200);
    expect(response.headers.has("Mcp-Session-Id")).toBe(false);
  });

  test("supports the latest revision without a handshake", async () => {
    const { key } = await newWorkspace();
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const headers = { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/list" };
    const response = await post(key, { ...LIST, params: { _meta } }, headers);
    expect(response.headers.get("Content-Type")).toContain("application/json");
    const { result }: { result: { tools: unknown[] } } = await response.json();
    expect(result.tools).toHaveLength(TOOLS.length);
  });
});

test("each message counts as one call of the quota, also if it fails", async () => {
  const workspace = await newWorkspace();
  const client = await connect(workspace);
  const call = (name: unknown) => ({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name } });
  const count = async (...bodies: unknown[]) => {
    const before = await countCalls(workspace);
    for (const body of bodies) await post(workspace.key, body);
    return (await countCalls(workspace)) - before - 1;
  };
  const before = await countCalls(workspace);
  await client.listTools();
  await callTool(client, "get_usage");
  expect((await countCalls(workspace)) - before).toBe(3);
  expect(await count(call("get_link"), call("no_such_tool"), call(7), {}, "{", [])).toBe(6);
  expect(await count([call("get_usage"), call("get_link"), { ...LIST, id: 2 }])).toBe(3);
});

test("a model and a batch receive limit errors, also for calls that would fail", async () => {
  const workspace = await newWorkspace();
  const client = await connect(workspace);
  // The bucket does not refill during the calls.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  onTestFinished(() => void vi.useRealTimers());
  const results = await Promise.all(Array.from({ length: 60 }, () => callTool(client, "get_usage")));
  expect(results.filter(({ isError }) => !isError)).not.toEqual([]);
  for (const name of ["get_usage", "get_link", "no_such_tool"]) {
    const refused = await callTool(client, name);
    expect(refused.content[0]?.text).toMatch(/^BURST_LIMIT_EXCEEDED: .+\nTry again in 1 seconds\.$/);
  }
  for (const body of [LIST, [LIST], "{"]) {
    await expectError(await post(workspace.key, body), 429, "BURST_LIMIT_EXCEEDED");
  }
});

test("a batch of revision 2025-03-26 returns a response for each of its requests", async () => {
  const { key } = await newWorkspace();
  const batch = [
    LIST,
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { ...LIST, id: "b", method: "ping" },
  ];
  const response = await post(key, batch, { "MCP-Protocol-Version": "2025-03-26" });
  expect(response.status).toBe(200);
  const lines = [...(await response.text()).matchAll(/^data: ?(\{.*)$/gm)].map(([, line = ""]) =>
    JSON.parse(line),
  );
  const ids = lines.flat().map(({ id, result }) => [id, typeof result]);
  expect(ids.sort()).toEqual([
    [1, "object"],
    ["b", "object"],
  ]);
});

test("text of visitors in a result is marked as untrusted", async () => {
  const client = await connect(await newWorkspace());
  const { content, structuredContent } = await callTool(client, "get_scan_breakdown", { by: "referrer" });
  const mark = expect.stringMatching(/^`value` can be text that visitors sent/);
  expect(structuredContent).toMatchObject({ untrusted: mark });
  expect(JSON.parse(content[0]?.text ?? "")).toEqual({ untrusted: mark, data: structuredContent.data });
});

test("tools cannot access another workspace", async () => {
  const [mine, other] = [await newWorkspace(), await newWorkspace()];
  const made = await callTool(await connect(other), "create_link", { url: "https://example.com/" });
  const { id } = made.structuredContent.data as { id: string };
  const client = await connect(mine);
  for (const name of ["get_link", "update_link", "delete_link", "get_link_qr_code"])
    expect((await callTool(client, name, { link_id: id })).isError).toBe(true);
});
