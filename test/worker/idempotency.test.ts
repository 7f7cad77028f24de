import { expect, test } from "vitest";
import * as z from "zod";
import { sweep } from "../../src/cron.ts";
import { linkResponse } from "../../src/links/link-response.ts";
import {
  expectData,
  expectError,
  newWorkspace,
  type TestWorkspace,
  workerEnv,
  wrapShards,
} from "../support/harness.ts";

const LINKS = "/v1/links";
const BODY = { url: "https://example.com" };

function post(workspace: TestWorkspace, key: string, body: object = BODY, path = LINKS): Promise<Response> {
  return workspace.call("POST", path, { body, headers: { "Idempotency-Key": key } });
}

async function countLinks(workspace: TestWorkspace): Promise<number | undefined> {
  return (await expectData(await workspace.call("GET", LINKS), z.array(linkResponse))).meta.total;
}

test("a repeated request receives the first response and creates nothing", async () => {
  const workspace = await newWorkspace();
  const first = await post(workspace, "one");
  expect(first.headers.has("Idempotency-Replayed")).toBe(false);
  const replayed = await post(workspace, "one");
  expect(replayed.headers.get("Idempotency-Replayed")).toBe("true");
  expect(replayed.status).toBe(201);
  expect(await replayed.clone().text()).toBe(await first.clone().text());
  expect(replayed.headers.get("X-Request-Id")).toBe(first.headers.get("X-Request-Id"));
  // The repeated call counts against the quota; its headers are its own.
  expect(replayed.headers.get("X-RateLimit-Remaining")).toBe("24998");
  expect(await countLinks(workspace)).toBe(1);
});

test("parallel requests with one key create one link", async () => {
  const workspace = await newWorkspace();
  const responses = await Promise.all(Array.from({ length: 10 }, () => post(workspace, "same")));
  const statuses = responses.map(({ status }) => status);
  expect(statuses.filter((status) => status === 201).length).toBeGreaterThanOrEqual(1);
  expect(statuses.every((status) => status === 201 || status === 409)).toBe(true);
  for (const response of responses.filter(({ status }) => status === 409)) {
    await expectError(response, 409, "IDEMPOTENCY_CONFLICT");
  }
  expect(await countLinks(workspace)).toBe(1);
});

test("a key used with another body is rejected with 422", async () => {
  const workspace = await newWorkspace();
  await post(workspace, "one");
  await expectError(
    await post(workspace, "one", { url: "https://example.com/other" }),
    422,
    "IDEMPOTENCY_CONFLICT",
  );
  expect(await countLinks(workspace)).toBe(1);
});

test.each([
  ["/v1/%6cinks", LINKS],
  [LINKS, "/v1/link%73"],
])("%s and %s are one operation", async (spelling, other) => {
  const workspace = await newWorkspace();
  const first = await post(workspace, "one", BODY, spelling);
  const second = await post(workspace, "one", BODY, other);
  expect(first.status).toBe(201);
  expect(second.headers.get("Idempotency-Replayed")).toBe("true");
  expect(await countLinks(workspace)).toBe(1);
});

test("a key belongs to the path parameters of an operation, however they are spelled", async () => {
  const workspace = await newWorkspace();
  const ids: string[] = [];
  for (const filename of ["a.txt", "b.txt"]) {
    const body = { filename, mime_type: "text/plain", file_size: 1 };
    const response = await workspace.call("POST", "/v1/assets/presign", { body });
    ids.push((await response.json<{ data: { id: string } }>()).data.id);
  }
  const confirm = (path: string) => post(workspace, "one", {}, `/v1/assets/${path}/confirm`);
  const [first = "", second = ""] = ids;
  expect((await confirm(first)).headers.has("Idempotency-Replayed")).toBe(false);
  const encoded = first.replace("-", "%2D");
  expect((await confirm(encoded)).headers.get("Idempotency-Replayed")).toBe("true");
  expect((await confirm(second)).headers.has("Idempotency-Replayed")).toBe(false);
});

test("a key belongs to a workspace and a path", async () => {
  const [workspace, other] = [await newWorkspace(), await newWorkspace()];
  await post(workspace, "one");
  expect((await post(other, "one")).headers.has("Idempotency-Replayed")).toBe(false);
  const bulk = await post(workspace, "one", { links: [BODY] }, "/v1/links/bulk");
  expect(bulk.status).toBe(201);
  expect(bulk.headers.has("Idempotency-Replayed")).toBe(false);
});

test("a 4xx response is stored, a 5xx response is not", async () => {
  const workspace = await newWorkspace();
  await expectError(await post(workspace, "bad", { url: "x" }), 400, "VALIDATION_ERROR");
  const replayed = await post(workspace, "bad", { url: "x" });
  await expectError(replayed, 400, "VALIDATION_ERROR");
  expect(replayed.headers.get("Idempotency-Replayed")).toBe("true");

  const broken = wrapShards(breakLinkInserts);
  const headers = { "Idempotency-Key": "failing" };
  const failed = await workspace.call("POST", LINKS, { body: BODY, headers, env: broken });
  await expectError(failed, 500, "INTERNAL_ERROR");
  expect((await post(workspace, "failing")).status).toBe(201);
});

/** Returns a D1 binding on which every insert into `links` fails. */
function breakLinkInserts(d1: D1Database): D1Database {
  return new Proxy(d1, {
    get(db, property) {
      const member = Reflect.get(db, property);
      if (typeof member !== "function") return member;
      return (...args: unknown[]) => {
        if (property === "prepare" && /insert into "links"/.test(String(args[0])))
          throw new Error("D1 is down");
        return member.apply(db, args);
      };
    },
  });
}

test("a repeated request with an invalid query receives 400 and not the first response", async () => {
  const workspace = await newWorkspace();
  await post(workspace, "one");
  const error = await expectError(
    await post(workspace, "one", BODY, `${LINKS}?x=1`),
    400,
    "VALIDATION_ERROR",
  );
  expect(error.message).toBe("x: is not a known parameter");
});

test("a key has 1 to 255 characters", async () => {
  const workspace = await newWorkspace();
  expect((await post(workspace, "x".repeat(255))).status).toBe(201);
  for (const key of ["", "x".repeat(256)]) {
    const error = await expectError(await post(workspace, key), 400, "VALIDATION_ERROR");
    expect(error.message).toBe("Idempotency-Key: must have 1 to 255 characters");
  }
});

test("a response is stored for a day, and an unfinished request holds its key for 10 seconds", async () => {
  const workspace = await newWorkspace();
  await post(workspace, "day");
  const makeOlder = (ageMs: number) =>
    workspace.shard
      .prepare(
        "UPDATE idempotency_keys SET created_at = created_at - ?1, held_until = held_until - ?1 WHERE workspace_id = ?2",
      )
      .bind(ageMs, workspace.id)
      .run();
  await makeOlder(23 * 3_600_000);
  await sweep(workerEnv, Date.now());
  expect((await post(workspace, "day")).headers.get("Idempotency-Replayed")).toBe("true");
  await makeOlder(3_600_000 + 1);
  expect((await post(workspace, "day")).headers.has("Idempotency-Replayed")).toBe(false);

  await workspace.shard
    .prepare("UPDATE idempotency_keys SET status = NULL WHERE workspace_id = ?")
    .bind(workspace.id)
    .run();
  await expectError(await post(workspace, "day"), 409, "IDEMPOTENCY_CONFLICT");
  await makeOlder(10_001);
  expect((await post(workspace, "day")).status).toBe(201);

  await makeOlder(24 * 3_600_000);
  await sweep(workerEnv, Date.now());
  const { results } = await workspace.shard
    .prepare("SELECT * FROM idempotency_keys WHERE workspace_id = ?")
    .bind(workspace.id)
    .all();
  expect(results).toEqual([]);
});

test("a stored response survives a change of WEBHOOK_KEY while the former key is WEBHOOK_KEY_PREVIOUS", async () => {
  const workspace = await newWorkspace();
  const first = await post(workspace, "one");
  const { WEBHOOK_KEY: former } = workerEnv;
  const WEBHOOK_KEY = "another webhook key, as long as it must be";
  const repeat = (key: string, env: object, body: object = BODY) =>
    workspace.call("POST", LINKS, {
      body,
      headers: { "Idempotency-Key": key },
      env: { ...workerEnv, WEBHOOK_KEY, ...env },
    });
  const replayed = await repeat("one", { WEBHOOK_KEY_PREVIOUS: former });
  expect([replayed.status, await replayed.text()]).toEqual([201, await first.text()]);
  // New responses are sealed with the new key only.
  await repeat("two", { WEBHOOK_KEY_PREVIOUS: former });
  expect((await repeat("two", {})).status).toBe(201);
  await expectError(await post(workspace, "two"), 409, "IDEMPOTENCY_CONFLICT");

  // Without the former key, the request is refused and creates nothing.
  const lost = await expectError(await repeat("one", {}), 409, "IDEMPOTENCY_CONFLICT");
  expect(lost.message).toContain("can no longer be read");
  await expectError(
    await repeat("one", {}, { url: "https://example.com/other" }),
    422,
    "IDEMPOTENCY_CONFLICT",
  );
  expect(await countLinks(workspace)).toBe(2);
});
