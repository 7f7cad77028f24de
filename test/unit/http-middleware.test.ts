import { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ApiError, createNotFoundError } from "../../src/core/error.ts";
import { generateUuidv7 } from "../../src/core/id.ts";
import { markLostWrite } from "../../src/db/retry.ts";
import type { ApiContext, ApiEnv } from "../../src/http/context.ts";
import { respondWithError, respondWithNotFound } from "../../src/http/error-handler.ts";
import { JSON_BODY_MAX_BYTES, readJsonBody, readOptionalJsonBody } from "../../src/http/json-body.ts";
import { runRepeatably } from "../../src/http/repetition.ts";
import { MOVING_MESSAGE } from "../../src/tenant/moving.ts";

/** Middleware of the API, tested separately. */

const REQUEST_ID = generateUuidv7(Date.now());

let logged: string[];
beforeEach(() => {
  logged = [];
  vi.spyOn(console, "error").mockImplementation((line) => void logged.push(String(line)));
});
afterEach(() => void vi.restoreAllMocks());

/** Builds an app that sets the values of earlier middleware and returns parsed JSON bodies. */
function buildApp(): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  app.use(async (c, next) => {
    c.set("requestId", REQUEST_ID);
    await next();
  });
  app.onError(respondWithError);
  app.notFound(respondWithNotFound);
  app.post("/json", readJsonBody, async (c) => c.text(await c.req.text()));
  app.post("/optional", readOptionalJsonBody, async (c) => c.text(await c.req.text()));
  return app;
}

interface ErrorBody {
  error: { code: string; message: string; status: number };
}

describe("a JSON body", () => {
  const app = buildApp();

  async function post(body: BodyInit | null, { path = "/json", type = "application/json" } = {}) {
    const headers = type === "" ? {} : { "Content-Type": type };
    // Node requires `duplex` for bodies that are streams.
    const init = { method: "POST", body, duplex: "half", headers };
    const response = await app.request(path, init);
    const text = await response.text();
    if (response.status === 200) return text;
    const { error } = JSON.parse(text) as ErrorBody;
    return `${error.code} ${error.message}`;
  }

  const nest = (levels: number, open = "[", close = "]") => `${open.repeat(levels)}${close.repeat(levels)}`;
  const tooDeep = "VALIDATION_ERROR body: must be nested at most 64 levels deep";

  test.each<[string, string, string | null]>([
    ["64 levels", `{"a":${nest(63)}}`, null],
    ["65 levels", `{"a":${nest(64)}}`, tooDeep],
    ["64 levels of objects", `${'{"a":'.repeat(64)}1${"}".repeat(64)}`, null],
    ["65 levels of objects", `${'{"a":'.repeat(65)}1${"}".repeat(65)}`, tooDeep],
    ["70 levels one after the other", `{"a":[${Array(70).fill("[]")}],"b":[${Array(70).fill("{}")}]}`, null],
    ["brackets in a string", `{"a":"${"[{".repeat(50)}"}`, null],
    ["brackets after an escaped quote", `{"a":"\\"${"[{".repeat(50)}"}`, null],
    ["brackets after an escaped backslash", `{"a":"\\\\","b":${nest(64)}}`, tooDeep],
    ["brackets that close in a string", `{"a":"${"]".repeat(9)}","b":${nest(64)}}`, tooDeep],
  ])("is nested at most 64 levels deep: %s", async (_, text, fault) => {
    expect(await post(text)).toBe(fault ?? text);
  });

  test("has at most 1 MiB", async () => {
    const bodyOf = (bytes: number) => `{"a":"${"a".repeat(bytes - 8)}"}`;
    expect(JSON_BODY_MAX_BYTES).toBe(1_048_576);
    expect(await post(bodyOf(1_048_576))).toHaveLength(1_048_576);
    expect(await post(bodyOf(1_048_577))).toBe("PAYLOAD_TOO_LARGE body: must be at most 1 MiB");
    const declared = await app.request("/json", {
      method: "POST",
      body: "{}",
      headers: { "Content-Type": "application/json", "Content-Length": "1048577" },
    });
    expect(declared.status).toBe(413);
    const exact = { "Content-Type": "application/json", "Content-Length": "1048576" };
    expect((await app.request("/json", { method: "POST", body: "{}", headers: exact })).status).toBe(200);
  });

  test.each<[string, BodyInit, string, string]>([
    ["no object", "[]", "application/json", "VALIDATION_ERROR body: must be a JSON object"],
    ["null", "null", "application/json", "VALIDATION_ERROR body: must be a JSON object"],
    ["a text", '"a"', "application/json", "VALIDATION_ERROR body: must be a JSON object"],
    ["empty", "", "application/json", "VALIDATION_ERROR body: must be valid JSON (it is empty)"],
    ["empty, of no type", " ", "", "VALIDATION_ERROR body: must be valid JSON (it is empty)"],
    ["of no type", "{}", "", "UNSUPPORTED_MEDIA_TYPE Content-Type: must be application/json"],
    ["of another type", "{}", "text/json", "UNSUPPORTED_MEDIA_TYPE Content-Type: must be application/json"],
    ["of a type in capitals", "{}", "Application/JSON ; charset=utf-8", "{}"],
    [
      "not UTF-8",
      new Uint8Array([0x7b, 0xff, 0x7d]),
      "application/json",
      "VALIDATION_ERROR body: must be valid UTF-8",
    ],
    ["with a byte order mark", "\ufeff{}", "application/json", "{}"],
    [
      "with __proto__",
      '{"b":{"c":1},"a":{"__proto__":1}}',
      "application/json",
      "VALIDATION_ERROR a.__proto__: is not a known field",
    ],
    [
      "with a lone surrogate",
      '{"a":["\\ud800"]}',
      "application/json",
      "VALIDATION_ERROR body: must not contain lone surrogates or null characters",
    ],
    [
      "with a null character in a name",
      '{"a\\u0000":1}',
      "application/json",
      "VALIDATION_ERROR body: must not contain lone surrogates or null characters",
    ],
  ])("is checked: %s", async (_, body, type, expected) => {
    expect(await post(body, { type })).toBe(expected);
  });

  test("that ends early is incomplete", async () => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode("{"));
        controller.error(new Error("connection reset"));
      },
    });
    expect(await post(body)).toBe("VALIDATION_ERROR body: must be complete");
  });

  test("may be absent where it is optional", async () => {
    expect(await post(null, { path: "/optional", type: "" })).toBe("{}");
    expect(await post('{"a":1}', { path: "/optional" })).toBe('{"a":1}');
    expect(await post("[]", { path: "/optional" })).toBe("VALIDATION_ERROR body: must be a JSON object");
    expect(await post(" ", { path: "/optional" })).toBe(
      "VALIDATION_ERROR body: must be valid JSON (it is empty)",
    );
  });
});

describe("an error of a handler", () => {
  async function respondTo(error: unknown, errorNames?: object) {
    const app = buildApp();
    app.get("/", (c) => {
      if (errorNames) c.set("errorNames", errorNames);
      throw error;
    });
    const response = await app.request("/");
    return { response, body: (await response.json()) as ErrorBody & { meta: object } };
  }

  test("of the API is the response, and is not logged", async () => {
    const limited = new ApiError("DELIVERY_BACKLOG", "Too many.", { headers: { "Retry-After": "60" } });
    const { response, body } = await respondTo(limited, { DELIVERY_BACKLOG: "backlog" });
    expect(body).toEqual({
      error: { code: "backlog", message: "Too many.", status: 429 },
      meta: { request_id: REQUEST_ID },
    });
    expect([response.status, response.headers.get("Retry-After")]).toEqual([429, "60"]);
    expect(logged).toEqual([]);
  });

  test("that is unexpected only returns the request id, and is logged with it", async () => {
    const { response, body } = await respondTo(new Error("secret"));
    expect([response.status, body.error.code]).toEqual([500, "INTERNAL_ERROR"]);
    expect(JSON.stringify(body)).not.toContain("secret");
    expect(logged.map((line) => JSON.parse(line))).toEqual([
      {
        ...{ message: "a request failed", request_id: REQUEST_ID, operation: "GET /" },
        ...{ status: 500, code: "INTERNAL_ERROR", error: expect.stringMatching(/^Error: secret at /) },
      },
    ]);
  });

  test("of Hono about a body is a validation error, and its other errors are unexpected", async () => {
    expect((await respondTo(new HTTPException(400))).body.error.message).toBe("body: must be valid JSON");
    expect((await respondTo(new HTTPException(418))).response.status).toBe(500);
  });

  test("of a shard that a workspace is leaving is 503, unless the error text comes from a parameter", async () => {
    const { response, body } = await respondTo(
      new Error("failed", { cause: new Error(`D1_ERROR: ${MOVING_MESSAGE}`) }),
    );
    expect([response.status, body.error.code, response.headers.get("Retry-After")]).toEqual([
      503,
      "WORKSPACE_MOVING",
      "2",
    ]);
    const query = Object.assign(new Error(`Failed query, params: ${MOVING_MESSAGE}`), {
      params: [MOVING_MESSAGE],
    });
    expect((await respondTo(query)).response.status).toBe(500);
  });

  test("is 404 for a path that the API does not have", async () => {
    const response = await buildApp().request("/none");
    expect(response.status).toBe(404);
    expect(((await response.json()) as ErrorBody).error.code).toBe("RESOURCE_NOT_FOUND");
  });
});

describe("a handler that lost the response of a write", () => {
  const ID = generateUuidv7(Date.now());

  function buildContext(origin?: object) {
    const variables: Record<string, unknown> = { requestId: REQUEST_ID, origin };
    const c = {
      var: variables,
      set: (name: string, value: unknown) => {
        variables[name] = value;
      },
      req: { param: () => ({ workspace_id: "w", link_id: ID }) },
    };
    return { c: c as unknown as ApiContext, variables };
  }

  function lost(): Error {
    const error = new Error("Network connection lost");
    markLostWrite(error);
    return error;
  }

  /** Runs a handler that ends in the given ways, one after another. */
  async function run(outcomes: (Error | string)[], options: { origin?: object; deletes?: boolean } = {}) {
    const { c, variables } = buildContext(options.origin);
    const origins: unknown[] = [];
    const handler = async () => {
      origins.push(variables.origin);
      const outcome = outcomes.shift() ?? expect.unreachable("ran too often");
      if (outcome instanceof Error) throw outcome;
      return outcome;
    };
    const result = await runRepeatably(
      c,
      handler,
      options.deletes ? (id) => `deleted ${id}` : undefined,
    ).catch((error: Error) => error);
    return { result, origins };
  }

  test("runs once more, as a retry of the same request", async () => {
    expect(await run([lost(), "done"])).toEqual({
      result: "done",
      origins: [undefined, { requestId: REQUEST_ID, isRetry: true }],
    });
    const origin = { requestId: "first", isRetry: false };
    expect((await run([lost(), "done"], { origin })).origins).toEqual([
      origin,
      { requestId: "first", isRetry: true },
    ]);
  });

  test("does not run a third time, or again after another error", async () => {
    const [first, second] = [lost(), lost()];
    expect((await run([first, second])).result).toBe(second);
    const other = new Error("constraint");
    expect((await run([other])).result).toBe(other);
  });

  test("treats a resource missing in its second run as deleted, if it deletes", async () => {
    const notFound = createNotFoundError("link");
    expect((await run([lost(), notFound], { deletes: true })).result).toBe(`deleted ${ID}`);
    expect((await run([notFound], { deletes: true })).result).toBe(notFound);
    expect((await run([lost(), notFound])).result).toBe(notFound);
    const refused = new ApiError("WORKSPACE_MOVING", "moving");
    expect((await run([lost(), refused], { deletes: true })).result).toBe(refused);
  });
});
