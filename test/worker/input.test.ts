import { expect, test, vi } from "vitest";
import * as z from "zod";
import { type LinkResponse, linkResponse } from "../../src/links/link-response.ts";
import {
  call,
  createLink,
  expectData,
  expectError,
  newWorkspace,
  send,
  type TestWorkspace,
} from "../support/harness.ts";
import { createResources, fillPath } from "../support/resources.ts";

const LINKS = "/v1/links";
const DESTINATION = "https://example.com/";

/** Sends a body that must be rejected, checks that no link was created, and returns the error message. */
async function sendRejectedBody(workspace: TestWorkspace, body: unknown): Promise<string> {
  const error = await expectError(await workspace.call("POST", LINKS, { body }), 400, "VALIDATION_ERROR");
  const { meta } = await expectData(await workspace.call("GET", LINKS), z.array(linkResponse));
  expect(meta.total).toBe(0);
  return error.message;
}

const nestObjects = (depth: number) => `${'{"url":'.repeat(depth)}1${"}".repeat(depth)}`;

test.each([
  [
    "broken JSON",
    "{",
    "body: must be valid JSON (line 1, column 2: unexpected end, expected a name in double quotes)",
  ],
  [
    "a trailing comma",
    `{\r\n  "url": "${DESTINATION}",\r\n}`,
    "body: must be valid JSON (line 3, column 1: unexpected `}`, expected a name in double quotes)",
  ],
  [
    "a second byte order mark",
    "\ufeff\ufeff{}",
    "body: must be valid JSON (line 1, column 1: unexpected U+FEFF, expected a value)",
  ],
  ["an empty body", "", "body: must be valid JSON (it is empty)"],
  ["a blank body", " \n", "body: must be valid JSON (it is empty)"],
  ["an array", [], "body: must be a JSON object"],
  ["null", "null", "body: must be a JSON object"],
  ["a string", '"url"', "body: must be a JSON object"],
  ["10,000-deep nesting", nestObjects(10_000), "body: must be nested at most 64 levels deep"],
  ["100,000 open brackets", "[".repeat(100_000), "body: must be nested at most 64 levels deep"],
  [
    "a long unterminated string",
    `{"url":"${'\\"'.repeat(500_000)}`,
    "body: must be valid JSON (line 1, column 1000009: unexpected end, expected a double quote)",
  ],
  ["brackets in a string", `{"url":"${"[".repeat(100)}\\\\"}`, "url: must be an http or https URL"],
  [
    "brackets after a string that ends in an escape",
    `{"url":"\\\\","x":${"[".repeat(100)}`,
    "body: must be nested at most 64 levels deep",
  ],
  [
    "a lone surrogate",
    `{"url":"${DESTINATION}","custom_slug":"\\ud800"}`,
    "body: must not contain lone surrogates or null characters",
  ],
  [
    "a null character in a key",
    `{"url":"${DESTINATION}","a\\u0000":1}`,
    "body: must not contain lone surrogates or null characters",
  ],
  ["no url", {}, "url: is required"],
  ["a url of another type", { url: 5 }, "url: must be a string"],
  ["a null url", { url: null }, "url: must be a string"],
  ["a url that is not a URL", { url: "example.com" }, "url: must be an http or https URL"],
  ["another scheme", { url: "javascript:alert(1)" }, "url: must be an http or https URL"],
  ["a data URL", { url: "data:text/html,x" }, "url: must be an http or https URL"],
  ["a scheme without slashes", { url: "https:example.com" }, "url: must be an http or https URL"],
  ["no host", { url: "https://" }, "url: must be an http or https URL"],
  ["a user name", { url: "https://user@example.com" }, "url: must not contain a user name or password"],
  ["a password", { url: "https://:pw@example.com" }, "url: must not contain a user name or password"],
  ["a long url", { url: `${DESTINATION}${"a".repeat(8_192)}` }, "url: must have at most 8192 characters"],
  [
    "a url long once encoded",
    { url: `${DESTINATION}${"字".repeat(2_000)}` },
    "url: must have at most 8192 characters once encoded",
  ],
  [
    "a misspelled field",
    { url: DESTINATION, expire_at: "x" },
    "expire_at: is not a known field; did you mean `expires_at`?",
  ],
  [
    "a misspelled nested field",
    { url: DESTINATION, routing_rules: [{ when: { contry: ["CA"] }, destination: DESTINATION }] },
    "routing_rules[0].when.contry: is not a known field; did you mean `country`?",
  ],
  ["an unknown field", { url: DESTINATION, colour: "red" }, "colour: is not a known field"],
  [
    "__proto__ as a field",
    `{"url":"${DESTINATION}","__proto__":{"enabled":false}}`,
    "__proto__: is not a known field",
  ],
  [
    "__proto__ in a nested object",
    `{"url":"${DESTINATION}","routing_rules":[{"when":{"query":{"__proto__":["x"]}},"destination":"${DESTINATION}"}]}`,
    "routing_rules[0].when.query.__proto__: is not a known field",
  ],
  ["a short slug", { url: DESTINATION, custom_slug: "ab" }, "custom_slug: must have at least 3 characters"],
  [
    "a long slug",
    { url: DESTINATION, custom_slug: "a".repeat(65) },
    "custom_slug: must have at most 64 characters",
  ],
  [
    "a slug with a letter outside ASCII",
    { url: DESTINATION, custom_slug: "grün" },
    "custom_slug: must only contain letters, digits and hyphens",
  ],
  [
    "a slug with a line break",
    { url: DESTINATION, custom_slug: "abc\n" },
    "custom_slug: must only contain letters, digits and hyphens",
  ],
  ["a reserved slug", { url: DESTINATION, custom_slug: "Admin" }, 'custom_slug: "Admin" is reserved'],
  [
    "eleven labels",
    { url: DESTINATION, labels: Array.from({ length: 11 }, (_, n) => `l${n}`) },
    "labels: must have at most 10 items",
  ],
  ["an empty label", { url: DESTINATION, labels: ["a", "  "] }, "labels[1]: must have at least 1 character"],
  [
    "a long label",
    { url: DESTINATION, labels: ["a".repeat(65)] },
    "labels[0]: must have at most 64 characters",
  ],
  ["labels as a string", { url: DESTINATION, labels: "a,b" }, "labels: must be an array"],
  [
    "a date without offset",
    { url: DESTINATION, expires_at: "2027-01-01T00:00:00" },
    "expires_at: must be an ISO 8601 date-time with an offset or Z",
  ],
  [
    "a date alone",
    { url: DESTINATION, expires_at: "2027-01-01" },
    "expires_at: must be an ISO 8601 date-time with an offset or Z",
  ],
  [
    "30 February",
    { url: DESTINATION, expires_at: "2027-02-30T00:00:00Z" },
    "expires_at: must be an ISO 8601 date-time with an offset or Z",
  ],
  ["a date as a number", { url: DESTINATION, expires_at: 1e12 }, "expires_at: must be a string"],
  ["null as expires_at", { url: DESTINATION, expires_at: null }, "expires_at: must be a string"],
  ["rules as an object", { url: DESTINATION, routing_rules: {} }, "routing_rules: must be an array"],
  [
    "a rule without conditions",
    { url: DESTINATION, routing_rules: [{ when: {}, destination: DESTINATION }] },
    "routing_rules[0].when: must have at least one condition",
  ],
])("POST /v1/links rejects %s and creates nothing", async (_, body, message) => {
  expect(await sendRejectedBody(await newWorkspace(), body)).toBe(message);
});

test("error.message has the first error and error.details has all errors", async () => {
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
  ["limit=1&limit=2", "limit: must be sent only once"],
  ["enabled=true&enabled=true", "enabled: must be sent only once"],
  ["search=a&search=b", "search: must be sent only once"],
  ["offset=-1", "offset: must be at least 0"],
  ["offset=99999999999999999999", "offset: must be at most 1000; use `before` to go further"],
  ["offset=1001", "offset: must be at most 1000; use `before` to go further"],
  ["before=1", "before: must be a UUID, or the `next_before` of a sorted list"],
  ["enabled=yes", "enabled: must be one of true, false"],
  ["enabled=", "enabled: must be one of true, false"],
  ["label=", "label: must have at least 1 character"],
  ["labels=a", "labels: is not a known parameter; did you mean `label`?"],
  ["constructor=a", "constructor: is not a known parameter"],
])("GET /v1/links rejects the query %s", async (query, message) => {
  const workspace = await newWorkspace();
  const error = await expectError(await workspace.call("GET", `${LINKS}?${query}`), 400, "VALIDATION_ERROR");
  expect(error.message).toBe(message);
});

test("an operation without query parameters rejects every parameter", async () => {
  const workspace = await newWorkspace();
  const error = await expectError(await workspace.call("GET", "/v1/workspace?x=1"), 400, "VALIDATION_ERROR");
  expect(error.message).toBe("x: is not a known parameter");
});

test("a body of another media type receives 415, a large body 413 with and without Content-Length", async () => {
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
      await workspace.call("POST", LINKS, { body: { url: DESTINATION }, headers }),
      linkResponse,
      201,
    );
  }
  const large = JSON.stringify({ url: DESTINATION, pad: "x".repeat(1_048_576) });
  const error = await expectError(
    await workspace.call("POST", LINKS, { body: large }),
    413,
    "PAYLOAD_TOO_LARGE",
  );
  expect(error.message).toBe("body: must be at most 1 MiB");
  const chunked = new Request(`http://localhost:8787${LINKS}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${workspace.key}`, "Content-Type": "application/json" },
    body: new Blob([large]).stream(),
  });
  await expectError(await send(chunked), 413, "PAYLOAD_TOO_LARGE");
});

/** Sends a POST whose body arrives in these chunks. The stream fails at a chunk that is an error. */
function postStream(workspace: TestWorkspace, ...chunks: (string | Error)[]) {
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
  return { response: send(request), isFullyRead: () => chunks.length === 0 && !isCancelled };
}

test("a body that is too large is read completely, so that the client receives the response", async () => {
  const post = postStream(await newWorkspace(), ...Array.from({ length: 40 }, () => "x".repeat(65_536)));
  await expectError(await post.response, 413, "PAYLOAD_TOO_LARGE");
  expect(post.isFullyRead()).toBe(true);
});

test("an incomplete body receives 400 and is not logged as an error", async () => {
  const log = vi.spyOn(console, "error");
  const workspace = await newWorkspace();
  const post = postStream(workspace, '{"url":', new Error("connection lost"));
  const { message } = await expectError(await post.response, 400, "VALIDATION_ERROR");
  expect(message).toBe("body: must be complete");
  expect(log).not.toHaveBeenCalled();
});

test("a body that is not UTF-8 is rejected", async () => {
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

test("a rejected PATCH /v1/links/{link_id} changes nothing", async () => {
  const workspace = await newWorkspace();
  const link = await createLink(workspace, { labels: ["a"] });
  const bodies: unknown[] = [
    { labels: ["b"], url: "nonsense" },
    { enabled: "false" },
    { enabled: null },
    { custom_slug: "a b" },
    { labels: null },
    { scan_count: 5 },
    { routing_rules: [{ when: { percent: 100 }, destination: DESTINATION }] },
  ];
  for (const body of bodies) {
    const response = await workspace.call("PATCH", `${LINKS}/${link.id}`, { body });
    await expectError(response, 400, "VALIDATION_ERROR");
  }
  const { data } = await expectData(await workspace.call("GET", `${LINKS}/${link.id}`), linkResponse);
  expect(data).toEqual(link satisfies LinkResponse);
});

test("unknown, malformed and foreign ids have the same response except for the request id", async () => {
  const [workspace, other] = [await newWorkspace(), await newWorkspace()];
  const foreign = await createLink(other);
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
        '{"error":{"code":"RESOURCE_NOT_FOUND","message":"The link does not exist.","status":404},"meta":{"request_id":""}}',
      );
    }
  }
  const { data } = await expectData(await other.call("GET", `${LINKS}/${foreign.id}`), linkResponse);
  expect(data).toEqual(foreign);
});

test("404 names the resource that does not exist", async () => {
  const workspace = await newWorkspace();
  const ids = { ...(await createResources(workspace)), unknown: crypto.randomUUID() };
  for (const [path, code, name] of [
    ["/v1/links/{unknown}", "RESOURCE_NOT_FOUND", "link"],
    ["/v1/links/{unknown}/qr", "not_found", "link"],
    ["/v1/links/{link_id}/qr?template_id={unknown}", "not_found", "template"],
    ["/v1/analytics/timeseries?interval=day&link_id={unknown}", "RESOURCE_NOT_FOUND", "link"],
    ["/v1/qr/templates/{unknown}", "RESOURCE_NOT_FOUND", "template"],
    ["/v1/bio/pages/{unknown}", "RESOURCE_NOT_FOUND", "bio page"],
    ["/v1/assets/{unknown}", "RESOURCE_NOT_FOUND", "asset"],
    ["/v1/webhooks/{unknown}/deliveries/{delivery_id}", "RESOURCE_NOT_FOUND", "webhook"],
    ["/v1/webhooks/{webhook_id}/deliveries/{unknown}", "RESOURCE_NOT_FOUND", "delivery"],
    ["/v1/nothing", "RESOURCE_NOT_FOUND", "path"],
  ] as const) {
    const { message } = await expectError(await workspace.call("GET", fillPath(path, ids)), 404, code);
    expect(message, path).toBe(`The ${name} does not exist.`);
  }
});

test("a request without a key receives 401 before its body and path are checked", async () => {
  await expectError(await call(null, "POST", LINKS, { body: "{" }), 401, "INVALID_API_KEY");
  await expectError(await call(null, "DELETE", `${LINKS}/x`), 401, "INVALID_API_KEY");
});
