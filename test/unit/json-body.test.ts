import { Hono } from "hono";
import { describe, expect, test } from "vitest";
import { checkPassword, type PasswordBindings, type PasswordVisit } from "../../src/guards/password-visit.ts";
import type { ApiEnv } from "../../src/http/context.ts";
import { JSON_BODY_MAX_BYTES, readJsonBody } from "../../src/http/json-body.ts";
import { readScimBody } from "../../src/scim/scim-body.ts";

const app = new Hono<ApiEnv>();
app.post("/", readJsonBody, (c) => c.text("accepted"));
app.onError((error, c) => c.text(error.message, 400));

/** Sends a body. Node requires `duplex` for streams. */
async function send(body: BodyInit, headers: Record<string, string> = {}): Promise<string> {
  const init = {
    method: "POST",
    body,
    duplex: "half",
    headers: { "Content-Type": "application/json", ...headers },
  };
  return (await app.request("/", init)).text();
}

const TOO_DEEP = "body: must be nested at most 64 levels deep";
/** Nests arrays in an object, which is the first level. */
const nest = (levels: number, text = "") => `{"a":${"[".repeat(levels - 1)}${text}${"]".repeat(levels - 1)}}`;

test.each([
  ["64 levels", nest(64), "accepted"],
  ["65 levels", nest(65), TOO_DEEP],
  ["65 levels of objects", `${'{"a":'.repeat(65)}1${"}".repeat(65)}`, TOO_DEEP],
  ["many arrays beside each other", `{"a":[${"[],".repeat(100)}[]]}`, "accepted"],
  ["brackets in a text", nest(64, `"${"[{".repeat(50)}"`), "accepted"],
  ["brackets after an escaped quote", nest(64, String.raw`"\"${"[{".repeat(50)}"`), "accepted"],
  ["65 levels after an escaped quote", `{"a":"\\"","b":${"[".repeat(64)}${"]".repeat(64)}}`, TOO_DEEP],
  ["65 levels after an escaped backslash", `{"a":"\\\\","b":${"[".repeat(64)}${"]".repeat(64)}}`, TOO_DEEP],
  ["closing brackets in a text", `{"a":"${"]".repeat(9)}","b":${"[".repeat(64)}${"]".repeat(64)}}`, TOO_DEEP],
])("a body with %s", async (_, body, expected) => {
  expect(await send(body)).toBe(expected);
});

/** Returns JSON of exactly the given size in bytes. */
const buildBody = (bytes: number) => `{"a":"${"x".repeat(bytes - 8)}"}`;

test("a body may have 1 MiB and not a byte more, with or without a declared size", async () => {
  expect(buildBody(JSON_BODY_MAX_BYTES).length).toBe(1_048_576);
  const declare = (bytes: number) => ({ "Content-Length": String(bytes) });
  expect(await send(buildBody(1_048_576))).toBe("accepted");
  expect(await send(buildBody(1_048_577))).toBe("body: must be at most 1 MiB");
  expect(await send(buildBody(20), declare(1_048_576))).toBe("accepted");
  expect(await send(buildBody(20), declare(1_048_577))).toBe("body: must be at most 1 MiB");
});

test("an incomplete body, or a body that is not UTF-8, is a client error", async () => {
  const broken = new ReadableStream({ pull: (controller) => controller.error(new Error("connection lost")) });
  expect(await send(broken)).toBe("body: must be complete");
  expect(await send(new Uint8Array([0x7b, 0xff, 0x7d]))).toBe("body: must be valid UTF-8");
});

const FORM_TYPE = "application/x-www-form-urlencoded";
const readForm = async (request: Request) =>
  (await checkPassword({ request, link: { id: "link" } } as PasswordVisit, {} as PasswordBindings)).status;

test.each([
  [65_536, 1],
  [65_537, 0],
])(
  "an oversized form is read for another 65,536 bytes: after %i more, %i chunks follow",
  async (more, next) => {
    const chunks = [4_096, more, 1, 1];
    const body = new ReadableStream(
      { pull: (controller) => controller.enqueue(new Uint8Array(chunks.shift() ?? 1)) },
      { highWaterMark: 0 },
    );
    const init = { method: "POST", body, duplex: "half", headers: { "Content-Type": FORM_TYPE } };
    expect(await readForm(new Request("http://x.example/", init))).toBe("too_large");
    expect(chunks).toHaveLength(2 - next);
  },
);

describe("only a limited part of an endless body is read before the response", () => {
  const MIB = 1_048_576;
  const readScim = (request: Request) => readScimBody(request).then(String, ({ message }) => message);
  const readApi = async (request: Request) => (await app.request(request)).text();

  // The accepted bytes, the discarded bytes, and the chunk that exceeds the limit.
  test.each([
    ["JSON", readApi, MIB, 100 * MIB, "body: must be at most 1 MiB"],
    ["SCIM", readScim, MIB / 4, 100 * MIB, "The body must have at most 262144 bytes."],
    ["the form of a password", readForm, 4_096, 65_536, "too_large"],
  ])("%s", async (_, read, kept, discarded, expected) => {
    const chunk = new Uint8Array(kept);
    let bytes = 0;
    const body = new ReadableStream(
      {
        pull(controller) {
          bytes += chunk.byteLength;
          controller.enqueue(chunk);
        },
      },
      { highWaterMark: 0 },
    );
    const type = expected === "too_large" ? FORM_TYPE : "application/json";
    const init = { method: "POST", body, duplex: "half", headers: { "Content-Type": type } };
    expect(await read(new Request("http://x.example/", init))).toBe(expected);
    expect(bytes).toBe(kept + discarded + chunk.byteLength);
  });
});
