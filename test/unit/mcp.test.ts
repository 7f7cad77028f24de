import { describe, expect, test } from "vitest";
import { buildToolRequest, readToolResult } from "../../src/mcp/tool-call.ts";
import { buildTools, type CallableTool } from "../../src/mcp/tool-schemas.ts";
import type { Tool } from "../../src/mcp/tools.ts";
import type { OpenApiDocument } from "../../src/openapi/objects.ts";

/** Tools for models: their arguments, requests and results. */

const ID = "01a20e4d-a7e0-7d19-8c4e-90a5b6c7d8e9";
const security = (scope: string) => [{ apiKey: [scope] }];
const document = {
  components: {
    schemas: {
      NewThing: {
        type: "object",
        properties: {
          size: { $ref: "#/components/schemas/Size" },
          format: { type: "string" },
          password_hash: { type: "string" },
        },
        required: ["size", "format"],
      },
      Size: {
        type: "object",
        properties: { unit: { $ref: "#/components/schemas/Unit" }, password_hash: { type: "string" } },
      },
      Unit: { type: "string" },
      Unused: { type: "string" },
    },
  },
  paths: {
    "/v1/things/{thing_id}/{part}": {
      get: {
        operationId: "getThing",
        security: security("links:read"),
        parameters: [
          { in: "path", name: "thing_id", required: true, schema: { type: "string" }, description: "Id." },
          { in: "path", name: "part", required: true, schema: { type: "string" } },
          { in: "query", name: "filter", schema: { type: "object" } },
          { in: "header", name: "Idempotency-Key", required: true, schema: { type: "string" } },
        ],
        responses: { "200": { content: { "image/png": {} } } },
      },
    },
    "/v1/things": {
      post: {
        operationId: "createThing",
        security: security("links:write"),
        parameters: [{ in: "query", name: "dry", schema: { type: "boolean" } }],
        requestBody: {
          content: { "application/json": { schema: { $ref: "#/components/schemas/NewThing" } } },
        },
        responses: {
          "201": { content: { "application/json": { schema: { $ref: "#/components/schemas/Unit" } } } },
        },
      },
      get: { operationId: "listThings", responses: {} },
    },
  },
} as unknown as OpenApiDocument;

const describeTool = (operation: string, more: Partial<Tool> = {}): Tool => ({
  name: "a_tool",
  title: "T",
  description: "D",
  operation,
  ...more,
});
const build = (operation: string, more?: Partial<Tool>) =>
  buildTools(document, [describeTool(operation, more)])[0] as CallableTool;

describe("a tool", () => {
  test("accepts its operation's parameters except headers, with a self-contained schema", () => {
    const { inputSchema, outputSchema, method, scope } = build("createThing");
    expect([method, scope]).toEqual(["POST", "links:write"]);
    expect(inputSchema).toEqual({
      type: "object",
      properties: {
        dry: { type: "boolean" },
        size: { $ref: "#/$defs/Size" },
        format: { type: "string" },
      },
      required: ["size", "format"],
      additionalProperties: false,
      $defs: {
        Size: { type: "object", properties: { unit: { $ref: "#/$defs/Unit" } } },
        Unit: { type: "string" },
      },
    });
    expect(outputSchema).toMatchObject({ type: "object", $defs: { Unit: { type: "string" } } });
    const got = build("getThing");
    expect(got.inputSchema.required).toEqual(["thing_id", "part"]);
    expect(got.inputSchema.properties?.thing_id).toEqual({ type: "string", description: "Id." });
    expect([got.inputSchema.$defs, got.outputSchema]).toEqual([undefined, undefined]);
  });

  test("omits parameters that it sets itself", () => {
    const { properties, required } = build("createThing", { fixed: { format: "png" } }).inputSchema;
    expect([Object.keys(properties ?? {}), required]).toEqual([["dry", "size"], ["size"]]);
  });

  test("neither offers nor accepts password hashes, which are for imports", () => {
    const tool = build("createThing");
    expect(Object.keys(tool.inputSchema.properties ?? {})).toEqual(["dry", "size", "format"]);
    expect(JSON.stringify(tool.inputSchema)).not.toContain("password_hash");
    const call = (given: Record<string, unknown>) => buildToolRequest("https://api.example", tool, given);
    expect(() => call({ password_hash: null })).toThrow(/^password_hash: is not a known field$/);
    expect(() => call({ links: [null, "x", { a: { logo_url: "x" } }] })).toThrow(
      /^links\[2\]\.a\.logo_url: is not a known field$/,
    );
    expect(call({ links: [null, { url: "x" }] }).method).toBe("POST");
  });

  test("must call an existing operation with a scope", () => {
    expect(() => build("noThing")).toThrow(
      "the tool a_tool calls the operation noThing, which the document doesn't have",
    );
    expect(() => build("listThings")).toThrow("listThings requires no scope");
  });
});

describe("the request of a tool", () => {
  const request = (operation: string, given: object, more?: Partial<Tool>) =>
    buildToolRequest("https://api.example", build(operation, more), given as never);

  test("has encoded arguments in its path, and the others in the query", () => {
    const { method, url, body } = request("getThing", {
      thing_id: ID,
      part: ID,
      filter: { a: 1 },
      limit: 5,
      none: null,
      absent: undefined,
    });
    expect([method, body]).toEqual(["GET", null]);
    expect(url).toBe(`https://api.example/v1/things/${ID}/${ID}?filter=%7B%22a%22%3A1%7D&limit=5`);
  });

  test.each([[undefined], [7], [""], [".."], ["export"], [`${ID}/x`], [[ID]]])(
    "with %j in the path is rejected",
    (part) => {
      expect(() => request("getThing", { thing_id: ID, part })).toThrow(/^part: must be a UUID$/);
    },
  );

  test("has the remaining arguments in its body, overridden by the tool's own values", async () => {
    const given = { dry: true, size: 1, format: "svg", unknown: null };
    const made = request("createThing", given, { fixed: { format: "png" } });
    expect(made.url).toBe("https://api.example/v1/things?dry=true");
    expect(made.headers.get("Content-Type")).toBe("application/json");
    expect(await made.json()).toEqual({ size: 1, format: "png", unknown: null });
  });
});

describe("a tool's result for the model", () => {
  test("contains data as text and as structured content", async () => {
    const body = { data: { id: "1" }, meta: { total: 1 } };
    expect(await readToolResult(build("createThing"), Response.json(body, { status: 201 }))).toEqual({
      content: [{ type: "text", text: '{"id":"1"}' }],
      structuredContent: body,
    });
  });

  test("contains an image with its type", async () => {
    const response = () =>
      new Response(new Uint8Array([1, 2]), { headers: { "Content-Type": "image/webp" } });
    expect(await readToolResult(build("getThing", { isImage: true }), response())).toEqual({
      content: [{ type: "image", data: "AQI=", mimeType: "image/webp" }],
    });
  });

  test("contains each error, and when to try again", async () => {
    const error = {
      code: "VALIDATION_ERROR",
      message: "No.",
      details: [{ field: "url", message: "is bad" }],
    };
    const fail = async (init: ResponseInit, body: unknown) => {
      const { content, isError } = await readToolResult(
        build("getThing", { isImage: true }),
        Response.json(body, init),
      );
      return [isError, content[0]?.type === "text" && content[0].text];
    };
    expect(await fail({ status: 400 }, { error })).toEqual([true, "VALIDATION_ERROR: No.\n- url: is bad"]);
    const late = { status: 429, headers: { "Retry-After": "7" } };
    expect(await fail(late, { error: { code: "X", message: "Y" } })).toEqual([
      true,
      "X: Y\nTry again in 7 seconds.",
    ]);
    expect(await fail({ status: 502 }, {})).toEqual([true, "502: the call failed"]);
  });
});
