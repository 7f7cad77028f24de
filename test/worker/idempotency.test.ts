import { describe, expect, test } from "vitest";
import * as z from "zod";
import { DAY_MS } from "../../src/core/time.ts";
import { sweep } from "../../src/cron.ts";
import { openDatabase } from "../../src/db/database.ts";
import { type Claim, claimKey, endHold, sweepIdempotencyKeys } from "../../src/http/idempotency-keys.ts";
import { linkResponse } from "../../src/links/link-response.ts";
import { MOVING_MESSAGE } from "../../src/tenant/moving.ts";
import {
  createLink,
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
  // The repeated call counts against the quota and has its own headers.
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
])("%s and %s are the same operation", async (spelling, other) => {
  const workspace = await newWorkspace();
  const first = await post(workspace, "one", BODY, spelling);
  const second = await post(workspace, "one", BODY, other);
  expect(first.status).toBe(201);
  expect(second.headers.get("Idempotency-Replayed")).toBe("true");
  expect(await countLinks(workspace)).toBe(1);
});

test("a key belongs to the path parameters of an operation, in any spelling", async () => {
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

  const broken = wrapShards((d1) => breakStatements(d1, /insert into "links"/));
  const headers = { "Idempotency-Key": "failing" };
  const failed = await workspace.call("POST", LINKS, { body: BODY, headers, env: broken });
  await expectError(failed, 500, "INTERNAL_ERROR");
  expect((await post(workspace, "failing")).status).toBe(201);
});

/** Returns a D1 binding whose statements fail if they match a pattern. */
function breakStatements(d1: D1Database, pattern: RegExp): D1Database {
  return new Proxy(d1, {
    get(db, property) {
      const member = Reflect.get(db, property);
      if (typeof member !== "function") return member;
      return (...args: unknown[]) => {
        if (property === "prepare" && pattern.test(String(args[0]))) throw new Error("D1 is down");
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
  await makeOlder(workspace, 23 * 3_600_000);
  await sweep(workerEnv, Date.now());
  expect((await post(workspace, "day")).headers.get("Idempotency-Replayed")).toBe("true");
  await makeOlder(workspace, 3_600_000 + 1);
  expect((await post(workspace, "day")).headers.has("Idempotency-Replayed")).toBe(false);

  await workspace.shard
    .prepare("UPDATE idempotency_keys SET status = NULL, body = NULL WHERE workspace_id = ?")
    .bind(workspace.id)
    .run();
  await expectError(await post(workspace, "day"), 409, "IDEMPOTENCY_CONFLICT");
  await makeOlder(workspace, 10_001);
  expect((await post(workspace, "day")).status).toBe(201);

  await makeOlder(workspace, 24 * 3_600_000);
  await sweep(workerEnv, Date.now());
  const { results } = await workspace.shard
    .prepare("SELECT * FROM idempotency_keys WHERE workspace_id = ?")
    .bind(workspace.id)
    .all();
  expect(results).toEqual([]);
});

test("a stored response survives a change of WEBHOOK_KEY while the old key is WEBHOOK_KEY_PREVIOUS", async () => {
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

  // Without the old key, the request is rejected and creates nothing.
  const lost = await expectError(await repeat("one", {}), 409, "IDEMPOTENCY_CONFLICT");
  expect(lost.message).toContain("can no longer be read");
  await expectError(
    await repeat("one", {}, { url: "https://example.com/other" }),
    422,
    "IDEMPOTENCY_CONFLICT",
  );
  expect(await countLinks(workspace)).toBe(2);
});

/**
 * Returns an `env` whose inserts into `links` wait until `release` is called, and a promise of the first
 * insert. The inserts fail if `release` receives an error.
 */
function holdLinkInserts() {
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<Error | undefined>()];
  const env = wrapShards((d1) => {
    const isHeld = new WeakSet<object>();
    return {
      prepare: (text: string) => watch(d1.prepare(text), /insert into "links"/.test(text)),
      batch: async (statements: D1PreparedStatement[]) => {
        if (statements.some((statement) => isHeld.has(statement))) {
          reached.resolve();
          const error = await released.promise;
          if (error !== undefined) throw error;
        }
        return d1.batch(statements);
      },
    } as unknown as D1Database;

    function watch(statement: D1PreparedStatement, isInsert: boolean): D1PreparedStatement {
      if (isInsert) isHeld.add(statement);
      const bind = statement.bind.bind(statement);
      return Object.assign(statement, { bind: (...values: unknown[]) => watch(bind(...values), isInsert) });
    }
  });
  const release = (error?: Error) => released.resolve(error);
  return { env, reached: reached.promise, release };
}

describe("a request that outlives its lease of a key", () => {
  const CUSTOM = { ...BODY, custom_slug: "only-one" };

  /** Starts a request whose insert waits, and lets its lease of the key expire. */
  async function startSlow(workspace: TestWorkspace, body: object = BODY) {
    const hold = holdLinkInserts();
    const headers = { "Idempotency-Key": "slow" };
    const response = workspace.call("POST", LINKS, { body, headers, env: hold.env });
    await hold.reached;
    await makeOlder(workspace, 10_001);
    return { response, release: hold.release };
  }

  test.each([
    ["a generated code", BODY],
    ["a custom slug", CUSTOM],
  ])("receives the response of the request that took over: %s", async (_, body) => {
    const workspace = await newWorkspace();
    const slow = await startSlow(workspace, body);
    const taken = await post(workspace, "slow", body);
    expect(taken.status).toBe(201);
    expect(taken.headers.has("Idempotency-Replayed")).toBe(false);
    slow.release();
    const late = await slow.response;
    expect([late.status, late.headers.get("Idempotency-Replayed")]).toEqual([201, "true"]);
    expect(await late.text()).toBe(await taken.text());
    expect(await countLinks(workspace)).toBe(1);
  });

  test("receives that response even if it fails itself, without the headers of its own response", async () => {
    const workspace = await newWorkspace();
    const slow = await startSlow(workspace);
    const taken = await post(workspace, "slow");
    slow.release(new Error(MOVING_MESSAGE));
    const late = await slow.response;
    expect([late.status, late.headers.get("Retry-After")]).toEqual([201, null]);
    expect(late.headers.get("X-Request-Id")).toBe(taken.headers.get("X-Request-Id"));
  });

  test("receives 409 while the other request is in progress, and the key keeps the other response", async () => {
    const workspace = await newWorkspace();
    const slow = await startSlow(workspace);
    const other = holdLinkInserts();
    const headers = { "Idempotency-Key": "slow" };
    const second = workspace.call("POST", LINKS, { body: BODY, headers, env: other.env });
    await other.reached;
    slow.release();
    const error = await expectError(await slow.response, 409, "IDEMPOTENCY_CONFLICT");
    expect(error.message).toMatch(/took more than 10 seconds/);
    other.release();
    const { data } = await expectData(await second, linkResponse, 201);
    const replayed = await expectData(await post(workspace, "slow"), linkResponse, 201);
    expect(replayed.data).toEqual(data);
    expect(await countLinks(workspace)).toBe(1);
  });

  test("loses its key only to a request with the same body", async () => {
    const workspace = await newWorkspace();
    const slow = await startSlow(workspace);
    const other = { url: "https://example.com/other" };
    await expectError(await post(workspace, "slow", other), 422, "IDEMPOTENCY_CONFLICT");
    slow.release();
    const { data } = await expectData(await slow.response, linkResponse, 201);
    expect(data.destination).toBe(BODY.url);
    expect((await post(workspace, "slow")).headers.get("Idempotency-Replayed")).toBe("true");
    expect(await countLinks(workspace)).toBe(1);
  });
});

describe("the record of a key", () => {
  const NOW_MS = Date.UTC(2026, 10, 22);

  async function startClaims() {
    const workspace = await newWorkspace();
    const db = openDatabase(workspace.shard);
    const build = (requestId: string, atMs: number, requestHash = "hash"): Claim => ({
      workspaceId: workspace.id,
      route: LINKS,
      key: "key",
      requestHash,
      requestId,
      createdAt: NOW_MS + atMs,
    });
    const claim = (...request: Parameters<typeof build>) => claimKey(db, build(...request));
    const end = (requestId: string, status: number | null) =>
      endHold(db, build(requestId, 0), status === null ? null : { status, sealedBody: requestId });
    expect((await claim("first", 0)).requestId).toBe("first");
    return { db, workspace, claim, end };
  }

  test("has a lease of 10 seconds, and a request with another body cannot take it over", async () => {
    const { claim } = await startClaims();
    expect((await claim("early", 9_999)).requestId).toBe("first");
    expect((await claim("other", 10_000, "other hash")).requestId).toBe("first");
    const taken = await claim("second", 10_000);
    expect(taken).toMatchObject({ requestId: "second", firstRequestId: "first", status: null });
    expect((await claim("third", 19_999)).requestId).toBe("second");
    expect((await claim("third", 20_000)).requestId).toBe("third");
  });

  test("is free immediately if a request ends without a response, and stays taken after one with a response", async () => {
    const { claim, end } = await startClaims();
    expect(await end("first", null)).toBeNull();
    expect(await claim("second", 1)).toMatchObject({ requestId: "second", firstRequestId: "first" });
    expect(await end("first", null)).toMatchObject({ requestId: "second" });
    expect(await end("first", 201)).toMatchObject({ requestId: "second", status: null, body: null });
    expect((await claim("third", 2)).requestId).toBe("second");
    expect(await end("second", 201)).toBeNull();
    expect(await end("first", 409)).toMatchObject({ requestId: "second", status: 201, body: "second" });
    expect((await claim("third", DAY_MS - 1)).requestId).toBe("second");
  });

  test("expires after a day", async () => {
    const { claim, end } = await startClaims();
    await end("first", 201);
    expect(await claim("early", DAY_MS - 1, "other hash")).toMatchObject({ requestId: "first", status: 201 });
    const anew = await claim("second", DAY_MS, "other hash");
    expect(anew).toMatchObject({ firstRequestId: "second", requestHash: "other hash", status: null });
    expect(await end("first", 201)).toMatchObject({ requestId: "second" });
  });

  test("is swept after a day, unless its workspace is moving", async () => {
    const { db, workspace } = await startClaims();
    const count = () =>
      workspace.shard
        .prepare("SELECT count(*) AS n FROM idempotency_keys WHERE workspace_id = ?")
        .bind(workspace.id)
        .first("n");
    await sweepIdempotencyKeys(db, NOW_MS + DAY_MS - 1);
    expect(await count()).toBe(1);
    const transit = "INSERT INTO transits (workspace_id, epoch, state) VALUES (?, 1, 'fenced')";
    await workspace.shard.prepare(transit).bind(workspace.id).run();
    await sweepIdempotencyKeys(db, NOW_MS + DAY_MS);
    expect(await count()).toBe(1);
    await workspace.shard.prepare("DELETE FROM transits WHERE workspace_id = ?").bind(workspace.id).run();
    await sweepIdempotencyKeys(db, NOW_MS + DAY_MS);
    expect(await count()).toBe(0);
  });

  test("a record that was erased during the request is not recreated", async () => {
    const { end, workspace } = await startClaims();
    await workspace.shard
      .prepare("DELETE FROM idempotency_keys WHERE workspace_id = ?")
      .bind(workspace.id)
      .run();
    expect(await end("first", 201)).toBeNull();
  });
});

function makeOlder(workspace: TestWorkspace, ageMs: number): Promise<unknown> {
  return workspace.shard
    .prepare(
      "UPDATE idempotency_keys SET created_at = created_at - ?1, held_until = held_until - ?1 WHERE workspace_id = ?2",
    )
    .bind(ageMs, workspace.id)
    .run();
}

test("a retry makes a change that was lost before it was written, even if nothing differs", async () => {
  const workspace = await newWorkspace();
  const link = await createLink(workspace, { labels: ["a"] });
  const change = (env?: Env) =>
    workspace.call("PATCH", `/v1/links/${link.id}`, {
      body: { labels: ["a"] },
      headers: { "Idempotency-Key": "lost" },
      ...(env && { env }),
    });
  const env = wrapShards((d1) => breakStatements(d1, /update "links"/));
  expect((await change(env)).status).toBe(500);
  const { data } = await expectData(await change(), linkResponse);
  expect(Date.parse(data.updated_at)).toBeGreaterThan(Date.parse(link.updated_at));
});
