import { expect, test, vi } from "vitest";
import * as z from "zod";
import { type LinkResponse, linkResponse } from "../../src/links/links.schema.ts";
import { call, expectData, expectError, newWorkspace, send, type TestWorkspace } from "../support/harness.ts";

const LINKS = "/v1/links";
const URL_OF = "https://example.com/";

/** Runs a refused call and makes sure that nothing came of it. */
async function refused(workspace: TestWorkspace, body: unknown): Promise<string> {
  const error = await expectError(await workspace.call("POST", LINKS, { body }), 400, "VALIDATION_ERROR");
  const { meta } = await expectData(await workspace.call("GET", LINKS), z.array(linkResponse));
  expect(meta.total).toBe(0);
  return error.message;
}

const deep = (depth: number) => `${'{"url":'.repeat(depth)}1${"}".repeat(depth)}`;

test.each([
  ["broken JSON", "{", "body: must be valid JSON"],
  ["nothing", "", "body: must be valid JSON"],
  ["an array", [], "body: must be a JSON object"],
  ["null", "null", "body: must be a JSON object"],
  ["a string", '"url"', "body: must be a JSON object"],
  ["10,000-deep nesting", deep(10_000), "body: must be nested at most 64 levels deep"],
  ["100,000 open brackets", "[".repeat(100_000), "body: must be nested at most 64 levels deep"],
  ["a long string without an end", `{"url":"${'\\"'.repeat(500_000)}`, "body: must be valid JSON"],
  ["brackets in a string", `{"url":"${"[".repeat(100)}\\\\"}`, "url: must be an http or https URL"],
  [
    "brackets behind a string that ends in an escape",
    `{"url":"\\\\","x":${"[".repeat(100)}`,
    "body: must be nested at most 64 levels deep",
  ],
  [
    "a lone surrogate",
    `{"url":"${URL_OF}","custom_slug":"\\ud800"}`,
    "body: must not contain lone surrogates or null characters",
  ],
  [
    "a null character in a key",
    `{"url":"${URL_OF}","a\\u0000":1}`,
    "body: must not contain lone surrogates or null characters",
  ],
  ["no url", {}, "url: is required"],
  ["a url of another type", { url: 5 }, "url: must be a string"],
  ["a null url", { url: null }, "url: must be a string"],
  ["no URL", { url: "example.com" }, "url: must be an http or https URL"],
  ["another scheme", { url: "javascript:alert(1)" }, "url: must be an http or https URL"],
  ["a data URL", { url: "data:text/html,x" }, "url: must be an http or https URL"],
  ["a scheme without slashes", { url: "https:example.com" }, "url: must be an http or https URL"],
  ["no host", { url: "https://" }, "url: must be an http or https URL"],
  ["a user name", { url: "https://user@example.com" }, "url: must not hold a user name or password"],
  ["a password", { url: "https://:pw@example.com" }, "url: must not hold a user name or password"],
  ["a long url", { url: `${URL_OF}${"a".repeat(8_192)}` }, "url: must have at most 8192 characters"],
  [
    "a url long once encoded",
    { url: `${URL_OF}${"字".repeat(2_000)}` },
    "url: must have at most 8192 characters once encoded",
  ],
  ["a typing error", { url: URL_OF, expire_at: "x" }, "expire_at: is not a known field"],
  ["a prototype key", `{"url":"${URL_OF}","__proto__":{"enabled":false}}`, "__proto__: is not a known field"],
  [
    "a prototype key further in",
    `{"url":"${URL_OF}","routing_rules":[{"when":{"query":{"__proto__":["x"]}},"destination":"${URL_OF}"}]}`,
    "routing_rules[0].when.query.__proto__: is not a known field",
  ],
  ["a short slug", { url: URL_OF, custom_slug: "ab" }, "custom_slug: must have at least 3 characters"],
  [
    "a long slug",
    { url: URL_OF, custom_slug: "a".repeat(65) },
    "custom_slug: must have at most 64 characters",
  ],
  [
    "a slug of other letters",
    { url: URL_OF, custom_slug: "grün" },
    "custom_slug: must have only letters, digits and hyphens",
  ],
  [
    "a slug with a line end",
    { url: URL_OF, custom_slug: "abc\n" },
    "custom_slug: must have only letters, digits and hyphens",
  ],
  ["a reserved slug", { url: URL_OF, custom_slug: "Admin" }, "custom_slug: is reserved"],
  [
    "eleven labels",
    { url: URL_OF, labels: Array.from({ length: 11 }, (_, n) => `l${n}`) },
    "labels: must have at most 10 items",
  ],
  ["an empty label", { url: URL_OF, labels: ["a", "  "] }, "labels[1]: must have at least 1 character"],
  ["a long label", { url: URL_OF, labels: ["a".repeat(65)] }, "labels[0]: must have at most 64 characters"],
  ["labels as text", { url: URL_OF, labels: "a,b" }, "labels: must be an array"],
  [
    "a date without offset",
    { url: URL_OF, expires_at: "2027-01-01T00:00:00" },
    "expires_at: must be an ISO 8601 date-time with an offset or Z",
  ],
  [
    "a date alone",
    { url: URL_OF, expires_at: "2027-01-01" },
    "expires_at: must be an ISO 8601 date-time with an offset or Z",
  ],
  [
    "30 February",
    { url: URL_OF, expires_at: "2027-02-30T00:00:00Z" },
    "expires_at: must be an ISO 8601 date-time with an offset or Z",
  ],
  ["a date as a number", { url: URL_OF, expires_at: 1e12 }, "expires_at: must be a string"],
  ["no expiry as null", { url: URL_OF, expires_at: null }, "expires_at: must be a string"],
  ["rules as an object", { url: URL_OF, routing_rules: {} }, "routing_rules: must be an array"],
  [
    "a rule without conditions",
    { url: URL_OF, routing_rules: [{ when: {}, destination: URL_OF }] },
    "routing_rules[0].when: must have at least one condition",
  ],
])("%s is refused by name and creates nothing", async (_, body, message) => {
  expect(await refused(await newWorkspace(), body)).toBe(message);
});

test("with several faults the first is in the message and all are in the details", async () => {
  const workspace = await newWorkspace();
  const response = await workspace.call("POST", LINKS, {
    body: { url: "x", custom_slug: "a", labels: [1], extra: 1 },
  });
  const { message, details } = await expectError(response, 400, "VALIDATION_ERROR");
  expect(details?.map(({ field }) => field).sort()).toEqual(["custom_slug", "extra", "labels[0]", "url"]);
  expect(message).toBe(`${details?.[0]?.field}: ${details?.[0]?.message}`);
});

test.each([
  ["limit=0", "limit: must be at least 1"],
  ["limit=201", "limit: must be at most 200"],
  ["limit=-1", "limit: must be at least 1"],
  ["limit=1e2", "limit: must be a whole number"],
  ["limit=1.5", "limit: must be a whole number"],
  ["limit=", "limit: must be a whole number"],
  ["limit=NaN", "limit: must be a whole number"],
  ["limit=1&limit=2", "limit: must be given once"],
  ["enabled=true&enabled=true", "enabled: must be given once"],
  ["search=a&search=b", "search: must be given once"],
  ["offset=-1", "offset: must be at least 0"],
  ["offset=99999999999999999999", "offset: must be at most 9007199254740991"],
  ["enabled=yes", "enabled: must be one of true, false"],
  ["enabled=", "enabled: must be one of true, false"],
  ["label=", "label: must have at least 1 character"],
  ["labels=a", "labels: is not a known field"],
  ["constructor=a", "constructor: is not a known field"],
])("the query %s is refused by name", async (query, message) => {
  const workspace = await newWorkspace();
  const error = await expectError(await workspace.call("GET", `${LINKS}?${query}`), 400, "VALIDATION_ERROR");
  expect(error.message).toBe(message);
});

test("an operation without query parameters refuses any", async () => {
  const workspace = await newWorkspace();
  const error = await expectError(await workspace.call("GET", "/v1/workspace?x=1"), 400, "VALIDATION_ERROR");
  expect(error.message).toBe("x: is not a known field");
});

test("a body of another type is 415, one that is too large 413, with and without a stated length", async () => {
  const workspace = await newWorkspace();
  for (const type of [
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/jsonx",
    "multipart/form-data",
  ]) {
    const response = await workspace.call("POST", LINKS, { body: "{}", headers: { "Content-Type": type } });
    await expectError(response, 415, "UNSUPPORTED_MEDIA_TYPE");
  }
  for (const type of [
    "Application/JSON; charset=utf-8",
    'application/json; charset="utf-8"',
    "application/json;",
    "application/json ; x=y;",
  ]) {
    const headers = { "Content-Type": type };
    await expectData(
      await workspace.call("POST", LINKS, { body: { url: URL_OF }, headers }),
      linkResponse,
      201,
    );
  }
  const large = JSON.stringify({ url: URL_OF, pad: "x".repeat(1_048_576) });
  await expectError(await workspace.call("POST", LINKS, { body: large }), 413, "PAYLOAD_TOO_LARGE");
  const chunked = new Request(`http://localhost:8787${LINKS}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${workspace.key}`, "Content-Type": "application/json" },
    body: new Blob([large]).stream(),
  });
  await expectError(await send(chunked), 413, "PAYLOAD_TOO_LARGE");
});

/** A POST whose body comes as these chunks, or breaks off where one is no text. */
function streamedPost(workspace: TestWorkspace, ...chunks: (string | Error)[]) {
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = chunks.shift();
      if (chunk === undefined) controller.close();
      else if (chunk instanceof Error) controller.error(chunk);
      else controller.enqueue(new TextEncoder().encode(chunk));
    },
    cancel() {
      isCancelled = true;
    },
  });
  const headers = { Authorization: `Bearer ${workspace.key}`, "Content-Type": "application/json" };
  const request = new Request(`http://localhost:8787${LINKS}`, { method: "POST", headers, body });
  return { answer: send(request), wasReadWhole: () => chunks.length === 0 && !isCancelled };
}

test("who sends a body that is too large can send all of it, and so sees the answer", async () => {
  const post = streamedPost(await newWorkspace(), ...Array.from({ length: 40 }, () => "x".repeat(65_536)));
  await expectError(await post.answer, 413, "PAYLOAD_TOO_LARGE");
  expect(post.wasReadWhole()).toBe(true);
});

test("a body that breaks off is no failure of the service", async () => {
  const log = vi.spyOn(console, "error");
  const workspace = await newWorkspace();
  const post = streamedPost(workspace, '{"url":', new Error("the line broke"));
  const { message } = await expectError(await post.answer, 400, "VALIDATION_ERROR");
  expect(message).toBe("body: must arrive whole");
  expect(log).not.toHaveBeenCalled();
});

test("a body that is no UTF-8 is refused", async () => {
  const workspace = await newWorkspace();
  const request = new Request(`http://localhost:8787${LINKS}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${workspace.key}`, "Content-Type": "application/json" },
    body: new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]),
  });
  expect((await expectError(await send(request), 400, "VALIDATION_ERROR")).message).toBe(
    "body: must be valid UTF-8",
  );
});

test("a refused update changes nothing", async () => {
  const workspace = await newWorkspace();
  const created = await workspace.call("POST", LINKS, { body: { url: URL_OF, labels: ["a"] } });
  const { data: link } = await expectData(created, linkResponse, 201);
  const bodies: unknown[] = [
    { labels: ["b"], url: "nonsense" },
    { enabled: "false" },
    { enabled: null },
    { custom_slug: "other" },
    { labels: null },
    { scan_count: 5 },
    { routing_rules: [{ when: { percent: 100 }, destination: URL_OF }] },
  ];
  for (const body of bodies) {
    const response = await workspace.call("PATCH", `${LINKS}/${link.id}`, { body });
    await expectError(response, 400, "VALIDATION_ERROR");
  }
  const { data } = await expectData(await workspace.call("GET", `${LINKS}/${link.id}`), linkResponse);
  expect(data).toEqual(link satisfies LinkResponse);
});

test("unknown, malformed and foreign ids are one answer, byte for byte but for the request id", async () => {
  const [workspace, other] = [await newWorkspace(), await newWorkspace()];
  const created = await other.call("POST", LINKS, { body: { url: URL_OF } });
  const { data: foreign } = await expectData(created, linkResponse, 201);
  const ids = [
    foreign.id,
    crypto.randomUUID(),
    "x",
    foreign.id.toUpperCase(),
    "%00",
    "%f0%9f%98%80",
    "..",
    "a".repeat(5_000),
    "'--",
  ];
  for (const [method, body] of [["GET"], ["PATCH", { enabled: false }], ["DELETE"]] as const) {
    for (const id of ids.filter((id) => id !== "..")) {
      const response = await workspace.call(method, `${LINKS}/${id}`, { body });
      const text = (await response.clone().text()).replaceAll(response.headers.get("X-Request-Id") ?? "", "");
      await expectError(response, 404, "RESOURCE_NOT_FOUND");
      expect(text, id).toBe(
        '{"error":{"code":"RESOURCE_NOT_FOUND","message":"The resource does not exist.","status":404},"meta":{"request_id":""}}',
      );
    }
  }
  const { data } = await expectData(await other.call("GET", `${LINKS}/${foreign.id}`), linkResponse);
  expect(data).toEqual(foreign);
});

test("without a key nothing is said of a body or a path", async () => {
  await expectError(await call(null, "POST", LINKS, { body: "{" }), 401, "INVALID_API_KEY");
  await expectError(await call(null, "DELETE", `${LINKS}/x`), 401, "INVALID_API_KEY");
});
