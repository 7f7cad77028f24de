import { evictDurableObject, reset } from "cloudflare:test";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { generateUuidv7, ID_AHEAD_MAX_MS } from "../../src/core/id.ts";
import { sleep } from "../../src/core/timeout.ts";
import worker from "../../src/index.ts";
import { presignAsset, TEXT } from "../support/assets.ts";
import { watchDatabases } from "../support/counting.ts";
import { BINDINGS, chooseFaults, recordUse, type Use } from "../support/fault-points.ts";
import {
  addDomain,
  breakingEnv,
  createLink,
  expectError,
  type LostMessage,
  newWorkspace,
  send,
  TRANSIENT_FAILURE,
  workerEnv,
} from "../support/harness.ts";
import { saveStorage } from "../support/memory-bindings.ts";
import {
  callOperation,
  createFixture,
  createPersonFixture,
  type Fixture,
  type Operation,
} from "../support/operation-calls.ts";
import { createResources, everyOperation, isForPeople, quietEnv } from "../support/resources.ts";
import type { Trip } from "../support/statements.ts";
import { resetIds } from "../support/worker-file.ts";

// Ends the last transaction of `saveStorage`.
afterAll(reset);

/** Counts a workspace's rows of each kind in the directory. */
async function countInDirectory({ workspace }: Fixture): Promise<Record<string, number>> {
  const { results } = await workerEnv.DIRECTORY.prepare(
    `SELECT 'keys' AS name, count(*) AS amount FROM api_keys WHERE workspace_id = ?1
     UNION ALL SELECT 'usable keys', count(*) FROM api_keys WHERE workspace_id = ?1 AND revoked_at IS NULL
     UNION ALL SELECT 'sessions', count(*) FROM sessions JOIN members USING (email) WHERE workspace_id = ?1
     UNION ALL SELECT 'domains', count(*) FROM domain_claims WHERE workspace_id = ?1
     UNION ALL SELECT 'directory audit_log', count(*) FROM audit_log WHERE workspace_id = ?1`,
  )
    .bind(workspace.id)
    .all<{ name: string; amount: number }>();
  return Object.fromEntries(results.map(({ name, amount }) => [name, amount]));
}

/** Counts the resources of each kind in a workspace and reads its usage counters. */
async function countResources(fixture: Fixture): Promise<Record<string, number>> {
  const { workspace } = fixture;
  const tables = [
    "links",
    "qr_templates",
    "bio_pages",
    "assets",
    "webhooks",
    "webhook_lanes",
    "webhook_events",
    "audit_log",
  ];
  const statements = [
    ...tables.map(
      (table) => `SELECT '${table}' AS name, count(*) AS amount FROM ${table} WHERE workspace_id = ?`,
    ),
    `SELECT 'deliveries' AS name, count(*) AS amount FROM event_deliveries JOIN webhook_lanes ON webhook_lanes.id = lane
      WHERE workspace_id = ?`,
    "SELECT 'waiting' AS name, sum(waiting) AS amount FROM delivery_backlogs WHERE workspace_id = ?",
    "SELECT 'charged ' || resource AS name, sum(used) AS amount FROM usage_counters WHERE workspace_id = ? GROUP BY 1",
  ];
  const results = await workspace.shard.batch<{ name: string; amount: number }>(
    statements.map((statement) => workspace.shard.prepare(statement).bind(workspace.id)),
  );
  const rows = results.flatMap(({ results }) => results);
  const onShard = Object.fromEntries(rows.map(({ name, amount }) => [name, amount]));
  return { ...onShard, ...(await countInDirectory(fixture)) };
}

/** Fixture in the storage, and the function that restores its state after its creation. */
let saved: { operation: Operation; fixture: Fixture; restore: () => void } | undefined;

/**
 * Returns a fixture of an operation in the state after its creation. It is created once for calls in a row with the same
 * operation.
 */
async function getFixture(operation: Operation): Promise<Fixture> {
  if (saved?.operation !== operation) {
    const fixture = await createFixture(operation);
    saved = { operation, fixture, restore: saveStorage() };
    return fixture;
  }
  const { fixture, restore } = saved;
  restore();
  // The service may have forgotten the session in its memory.
  await fixture.person?.call("GET", "/v1/session");
  return fixture;
}

interface Outcome {
  status: number;
  /** Resources before and after the operation. */
  before: Record<string, number>;
  counts: Record<string, number>;
  use: Use;
}

const outcomes = new Map<Operation, Outcome>();

/** Returns the outcome of an operation when nothing fails. */
async function getNormalOutcome(operation: Operation): Promise<Outcome> {
  const known = outcomes.get(operation);
  if (known !== undefined) return known;
  const fixture = await getFixture(operation);
  const before = await countResources(fixture);
  const { result, use } = await recordUse(quietEnv, (env) => callOperation(operation, fixture, env));
  expect(result.status, operation.operation.operationId).toBeLessThan(300);
  const outcome = { status: result.status, before, counts: await countResources(fixture), use };
  outcomes.set(operation, outcome);
  return outcome;
}

/** Returns true if a round trip locks an idempotency key or stores its response. */
function isOfIdempotencyKey({ statements }: Trip): boolean {
  return statements.every(({ sql }) => sql.includes('"idempotency_keys"'));
}

/**
 * Releases the locks of idempotency keys, so that a request without a response can be repeated immediately.
 */
async function releaseIdempotencyKeys({ workspace }: Fixture): Promise<void> {
  await workspace.shard
    .prepare("UPDATE idempotency_keys SET held_until = 0 WHERE workspace_id = ?")
    .bind(workspace.id)
    .run();
}

// Each failure is logged. The lines are checked at the end.
const lines: unknown[][] = [];
beforeAll(() => {
  vi.spyOn(console, "error").mockImplementation((...line) => void lines.push(line));
});
afterAll(() => void vi.restoreAllMocks());

const changingOperations = everyOperation.filter(({ method }) => method !== "GET");
const cases = changingOperations.map((operation) => [operation.operation.operationId, operation] as const);

const knownFailures = new Set<string>();
const knownTransient = new Set<string>();

describe.each(cases)("%s", (_, operation) => {
  test("takes effect once or not at all if D1 fails at any round trip, and exactly once after a retry with the same Idempotency-Key", async () => {
    const { status, before, counts, use } = await getNormalOutcome(operation);
    for (const { trip, lostMessage } of chooseFaults(use.trips, knownFailures)) {
      const fault = `round trip ${trip}, ${lostMessage} lost`;
      const fixture = await getFixture(operation);
      const { env, isBroken } = breakingEnv(trip, lostMessage, quietEnv);
      const response = await callOperation(operation, fixture, env);
      expect(isBroken(), fault).toBe(true);

      if (response.status !== status) await expectError(response, 503, "SERVICE_UNAVAILABLE");
      expect([before, counts], fault).toContainEqual(await countResources(fixture));
      await releaseIdempotencyKeys(fixture);
      const retry = await callOperation(operation, fixture, quietEnv);
      // DELETE and PUT ignore Idempotency-Key. A retry of DELETE can return 404, or 401 once the session
      // itself has ended, and a retry of PUT can return 200 for what was created.
      const others: Record<string, number[]> = { DELETE: [404, 401], PUT: [200] };
      const statuses = [status, ...(others[operation.method] ?? [])];
      expect(statuses, fault).toContain(retry.status);
      if (["POST", "PUT"].includes(operation.method))
        expect(await countResources(fixture), fault).toEqual(counts);
    }
  });

  test("succeeds at the first attempt and takes effect once if D1 fails for a moment at any round trip", async () => {
    const { status, counts, use } = await getNormalOutcome(operation);
    // Sent without an Idempotency-Key, so that only the repeated statement is tested.
    const trips = use.trips.filter((trip) => !isOfIdempotencyKey(trip));
    for (const { trip, lostMessage } of chooseFaults(trips, knownTransient, { isTransient: true })) {
      const fault = `round trip ${trip}, ${lostMessage} lost`;
      const fixture = await getFixture(operation);
      const { env, isBroken } = breakingEnv(trip, lostMessage, quietEnv, TRANSIENT_FAILURE);
      const response = await callOperation(operation, fixture, env, {});
      expect(isBroken(), fault).toBe(true);
      expect(response.status, `${fault}: ${await response.clone().text()}`).toBe(status);
      expect(await countResources(fixture), fault).toEqual(counts);
    }
  });
});

test("a retry logs a change once while the ids of requests are ahead of the clock", async () => {
  const [, operation] = cases.find(([operationId]) => operationId === "createKey") as (typeof cases)[number];
  const fixture = await createFixture(operation);
  const { trips } = (await getNormalOutcome(operation)).use;
  generateUuidv7(Date.now() + ID_AHEAD_MAX_MS - 1);
  onTestFinished(resetIds);
  const before = (await countInDirectory(fixture))["directory audit_log"] ?? 0;
  const trip =
    trips.findIndex(({ statements }) => statements.some(({ sql }) => /into "audit_log"/.test(sql))) + 1;
  const { env } = breakingEnv(trip, "response", quietEnv);
  await expectError(await callOperation(operation, fixture, env), 503, "SERVICE_UNAVAILABLE");
  await releaseIdempotencyKeys(fixture);
  // The retry is later than the entry, whose time can be some milliseconds after its request's.
  await sleep(50);
  expect((await callOperation(operation, fixture, quietEnv)).status).toBe(201);
  expect((await countInDirectory(fixture))["directory audit_log"]).toBe(before + 1);
});

describe("a transient failure of D1", () => {
  test.each<LostMessage>(["request", "response"])(
    "writes each event once, with the %s lost",
    async (lostMessage) => {
      const workspace = await newWorkspace("enterprise");
      const webhook = { url: "https://receiver.example/", events: ["*"] };
      await workspace.call("POST", "/v1/webhooks", { body: webhook, env: quietEnv });
      const link = await createLink(workspace, {}, quietEnv);
      const calls: [string, string, object?][] = [
        ["PATCH", `/v1/links/${link.id}`, { labels: ["a"], url: "https://example.com/new" }],
        ["PATCH", "/v1/links/bulk/status", { ids: [link.id], enabled: false }],
        ["POST", "/v1/links", { url: "https://example.com/other" }],
        [
          "POST",
          "/v1/links/bulk",
          { links: [{ url: "https://example.com/1" }, { url: "https://example.com/2" }] },
        ],
        ["DELETE", `/v1/links/${link.id}`],
      ];
      const statuses: number[] = [];
      for (const [method, path, body] of calls) {
        // The first trip reads the key, the second one writes.
        const { env, isBroken } = breakingEnv(2, lostMessage, quietEnv, TRANSIENT_FAILURE);
        statuses.push((await workspace.call(method, path, { body, env })).status);
        expect(isBroken()).toBe(true);
      }
      expect(statuses).toEqual([200, 200, 201, 201, 200]);
      const { results } = await workspace.shard
        .prepare("SELECT type FROM webhook_events WHERE workspace_id = ? ORDER BY id")
        .bind(workspace.id)
        .all<{ type: string }>();
      expect(results.map(({ type }) => type).sort()).toEqual([
        ...Array.from({ length: 4 }, () => "link.created"),
        "link.deleted",
        "link.updated",
        "link.updated",
      ]);
    },
  );

  test("every read succeeds", async () => {
    const workspace = await newWorkspace("enterprise");
    const byKey = { workspace, ids: await createResources(workspace) };
    const byPerson = await createPersonFixture(workspace);
    const reads = everyOperation.filter(({ method }) => method === "GET");
    const knownReads = new Set<string>();
    let broken = 0;
    for (const operation of reads) {
      const fixture = isForPeople(operation) ? byPerson : byKey;
      const call = (env: Env) => callOperation(operation, fixture, env, {});
      const { operationId } = operation.operation;
      const { result, use } = await recordUse(quietEnv, call);
      expect(result.status, operationId).toBe(200);
      for (const { trip, lostMessage } of chooseFaults(use.trips, knownReads, { isTransient: true })) {
        const { env, isBroken } = breakingEnv(trip, lostMessage, quietEnv, TRANSIENT_FAILURE);
        expect((await call(env)).status, `${operationId}, round trip ${trip}, ${lostMessage} lost`).toBe(200);
        // The first call may have filled a cache, so that this one makes fewer trips.
        if (isBroken()) broken += 1;
      }
    }
    expect(broken).toBeGreaterThan(reads.length / 2);
  });

  test.each<LostMessage>(["request", "response"])(
    "redirects and bio pages with the %s lost",
    async (lostMessage) => {
      const workspace = await newWorkspace();
      const { short_code } = await createLink(workspace);
      const { data: page } = await (
        await workspace.call("POST", "/v1/bio/pages", { body: { title: `Faults ${workspace.slug}` } })
      ).json<{ data: { id: string; html_url: string } }>();
      await workspace.call("POST", `/v1/bio/pages/${page.id}/publish`);
      await addDomain(workspace, `other-${workspace.hostname}`);
      for (const [address, status] of [
        // A host that was added later is not cached.
        [`http://other-${workspace.hostname}:8787/${short_code}`, 302],
        [`http://other-${workspace.hostname}:8787/unknown`, 404],
        [page.html_url, 200],
      ] as const) {
        const { env, isBroken } = breakingEnv(1, lostMessage, workerEnv, TRANSIENT_FAILURE);
        const response = await send(new Request(address, { redirect: "manual" }), env);
        expect([response.status, isBroken()], address).toEqual([status, true]);
      }
    },
  );

  test("deleting something that never existed returns 404 unless the response was lost", async () => {
    const workspace = await newWorkspace();
    const path = `/v1/links/${crypto.randomUUID()}`;
    await expectError(await workspace.call("DELETE", path), 404, "RESOURCE_NOT_FOUND");
    const { env } = breakingEnv(2, "request", quietEnv, TRANSIENT_FAILURE);
    expect((await workspace.call("DELETE", path, { env })).status).toBe(200);
    const { env: again } = breakingEnv(2, "request", quietEnv, TRANSIENT_FAILURE);
    await expectError(
      await workspace.call("DELETE", "/v1/links/x", { env: again }),
      404,
      "RESOURCE_NOT_FOUND",
    );
  });

  test("a failure that lasts returns 503", async () => {
    const workspace = await newWorkspace();
    const env = watchDatabases(workerEnv, () => Promise.reject(new Error(TRANSIENT_FAILURE)));
    await expectError(await workspace.call("GET", "/v1/links", { env }), 503, "SERVICE_UNAVAILABLE");
  });
});

describe("a transient failure of a Durable Object", () => {
  /** Returns a namespace whose first call of `method` fails before or after it is executed. */
  function breakFirstCall<Namespace extends Env["LIMITER"] | Env["ENDPOINT_HEALTH"]>(
    namespace: Namespace,
    method: string,
    lostMessage: LostMessage,
    properties: object = { retryable: true },
  ) {
    let calls = 0;
    const getByName = (name: string) => {
      const stub = namespace.getByName(name) as unknown as Record<
        string,
        (...args: unknown[]) => Promise<unknown>
      >;
      const call = async (...args: unknown[]) => {
        calls += 1;
        const result = calls > 1 || lostMessage === "response" ? await stub[method]?.(...args) : undefined;
        if (calls === 1) throw Object.assign(new Error("the object was reset"), properties);
        return result;
      };
      return { [method]: call };
    };
    return { namespace: { getByName } as unknown as Namespace, getCalls: () => calls };
  }

  test.each<LostMessage>(["request", "response"])(
    "counts an API call once, with the %s lost",
    async (lostMessage) => {
      const workspace = await newWorkspace();
      const readRemaining = async (env?: Env) => {
        const response = await workspace.call("GET", "/v1/links", env && { env });
        expect(response.status).toBe(200);
        return Number(response.headers.get("X-RateLimit-Remaining"));
      };
      const before = await readRemaining();
      const { namespace: LIMITER, getCalls } = breakFirstCall(workerEnv.LIMITER, "take", lostMessage);
      expect(await readRemaining({ ...workerEnv, LIMITER })).toBe(before - 1);
      expect(getCalls()).toBe(2);
      expect(await readRemaining()).toBe(before - 2);
    },
  );

  test("counts a call once even if the object loses its memory before the repetition", async () => {
    const workspace = await newWorkspace();
    const limiter = workerEnv.LIMITER.getByName(workspace.id);
    const call = { callId: crypto.randomUUID(), bucket: "a", burstPerSecond: 10, callsPerMonth: 100 };
    expect(await limiter.take(call)).toMatchObject({ verdict: "allowed", callsThisMonth: 1 });
    await evictDurableObject(limiter);
    const evicted = workerEnv.LIMITER.getByName(workspace.id);
    expect(await evicted.take(call)).toMatchObject({ verdict: "allowed", callsThisMonth: 1 });
    const next = { ...call, callId: crypto.randomUUID() };
    expect(await evicted.take(next)).toMatchObject({ verdict: "allowed", callsThisMonth: 2 });
  });

  test("an overloaded object is not called again", async () => {
    const workspace = await newWorkspace();
    const overload = { retryable: true, overloaded: true };
    const { namespace: LIMITER, getCalls } = breakFirstCall(workerEnv.LIMITER, "take", "request", overload);
    const response = await workspace.call("GET", "/v1/links", { env: { ...workerEnv, LIMITER } });
    await expectError(response, 503, "SERVICE_UNAVAILABLE");
    expect(getCalls()).toBe(1);
  });
});

/** Returns a binding that always fails. */
const unreachable = new Proxy({} as never, {
  get: (_, member) => () => {
    throw new Error(`${String(member)}: internal error; reference = 0123456789`);
  },
});

// The timeout is long, because a single test run calls every operation.
const EVERY_OPERATION_MS = 120_000;

/**
 * Lists the operations that use the failing binding, by their first use. Operations with the same first use, such as
 * the count of a call, fail in the same state, so only one of them is listed.
 */
async function listUsers(getFirstUse: (use: Use, operation: Operation) => unknown): Promise<Operation[]> {
  const users = new Map<unknown, Operation>();
  for (const operation of changingOperations) {
    const firstUse = getFirstUse((await getNormalOutcome(operation)).use, operation);
    if (firstUse !== undefined && !users.has(firstUse)) users.set(firstUse, operation);
  }
  expect(users.size).toBeGreaterThan(0);
  return [...users.values()];
}

describe("a binding that always fails", { timeout: EVERY_OPERATION_MS }, () => {
  test.each(BINDINGS)(
    "%s: each operation succeeds, or returns 503 and succeeds at the retry",
    async (binding) => {
      for (const operation of await listUsers(({ bindings }) => bindings.get(binding))) {
        const { status, before, counts } = await getNormalOutcome(operation);
        const fixture = await createFixture(operation);
        const response = await callOperation(operation, fixture, { ...quietEnv, [binding]: unreachable });
        const { operationId } = operation.operation;
        expect([before, counts], operationId).toContainEqual(await countResources(fixture));
        if (response.status === status) continue;
        await expectError(response, 503, "SERVICE_UNAVAILABLE");
        expect((await callOperation(operation, fixture, quietEnv)).status, operationId).toBe(status);
        expect(await countResources(fixture), operationId).toEqual(counts);
      }
    },
  );
});

test("a failing data centre's cache changes the outcome of no operation", {
  timeout: EVERY_OPERATION_MS,
}, async () => {
  const fail = () => Promise.reject(new Error("the cache is down"));
  for (const operation of await listUsers(({ isCaching }, operation) =>
    isCaching ? operation : undefined,
  )) {
    const { status, counts } = await getNormalOutcome(operation);
    const fixture = await createFixture(operation);
    const faults = (["match", "put", "delete"] as const).map((method) =>
      vi.spyOn(caches.default, method).mockImplementation(fail),
    );
    const response = await callOperation(operation, fixture, quietEnv);
    for (const fault of faults) fault.mockRestore();
    expect(response.status, operation.operation.operationId).toBe(status);
    expect(await countResources(fixture), operation.operation.operationId).toEqual(counts);
  }
});

test("a failed upload can be repeated, and an upload whose response was lost can be confirmed", async () => {
  const workspace = await newWorkspace();
  const { id, upload } = await presignAsset(workspace);
  const put = (env: Env) =>
    send(new Request(upload.url, { method: "PUT", headers: upload.headers, body: TEXT }), env);
  await expectError(await put({ ...workerEnv, PRIVATE_FILES: unreachable }), 503, "SERVICE_UNAVAILABLE");
  await expectError(await put(breakingEnv(1, "response").env), 503, "SERVICE_UNAVAILABLE");
  await expectError(await workspace.call("POST", `/v1/assets/${id}/confirm`), 409, "ASSET_NOT_UPLOADED");

  // The third round trip to D1 follows the storage of the bytes.
  await expectError(await put(breakingEnv(3, "request").env), 503, "SERVICE_UNAVAILABLE");
  await expectError(await put(workerEnv), 409, "ASSET_ALREADY_UPLOADED");
  expect((await workspace.call("POST", `/v1/assets/${id}/confirm`)).status).toBe(200);
});

test("the log never contains values: no URLs, keys, secrets, or texts from bodies and statements", async () => {
  const workspace = await newWorkspace("enterprise");
  const email = "ada.lovelace@example.com";
  const secret = "https://ada:hunter2@example.com/private?token=t0ps3cret";
  await workerEnv.DIRECTORY.prepare(
    "INSERT INTO members (id, workspace_id, email, name, created_at) VALUES (?, ?, ?, 'Ada', 0)",
  )
    .bind(crypto.randomUUID(), workspace.id, email)
    .run();
  const before = lines.length;
  const bodies: [string, string, object?][] = [
    ["POST", "/v1/links", { url: secret, custom_slug: "hunter2", labels: [email] }],
    ["POST", "/v1/links/bulk", { links: [{ url: secret, labels: [email] }] }],
    ["POST", "/v1/bio/pages", { title: email, description: secret }],
    ["POST", "/v1/qr/templates", { name: email }],
    ["POST", "/v1/assets/presign", { filename: `${email}.txt`, mime_type: "text/plain", file_size: 1 }],
    ["POST", "/v1/webhooks", { url: secret, description: email }],
    ["GET", `/v1/links?search=${encodeURIComponent(email)}&label=hunter2`],
    ["GET", "/v1/workspace/members"],
  ];
  for (const [method, path, body] of bodies) {
    for (const trip of [1, 2, 3]) {
      for (const failure of [undefined, TRANSIENT_FAILURE]) {
        const { env } = breakingEnv(trip, "request", quietEnv, failure);
        await workspace.call(method, path, { body, env, headers: { "Idempotency-Key": `${email} ${trip}` } });
      }
    }
  }
  const broken = watchDatabases(quietEnv, () =>
    Promise.reject(new Error(`D1_ERROR: no such value: '${email}'`)),
  );
  await send(new Request(`http://${workspace.hostname}:8787/hunter2`, { redirect: "manual" }), broken);
  await worker.scheduled({} as ScheduledController, broken);

  expect(lines.length).toBeGreaterThan(before + 20);
  const values = [
    "lovelace",
    "hunter2",
    "t0ps3cret",
    workspace.key,
    workspace.key.split(".")[1] as string,
    workspace.hostname,
  ];
  for (const line of lines) {
    expect(line).toHaveLength(1);
    const [text] = line as [string];
    expect(
      values.filter((value) => text.includes(value)),
      text,
    ).toEqual([]);
    // Checks every value of the other tests that looks like one, except the service's own ids and files.
    expect(text).not.toMatch(/@|(?<!file):\/\/|svc_pk_|whsec_|params:/);
    expect(text.length).toBeLessThanOrEqual(2_000);
    const facts = JSON.parse(text) as { message: string };
    if (facts.message === "a request failed") {
      expect(facts, text).toMatchObject({
        request_id: expect.any(String),
        operation: expect.any(String),
        status: expect.any(Number),
        duration_ms: expect.any(Number),
      });
    }
  }
  expect(lines.some(([text]) => String(text).includes(`"workspace":"${workspace.id}"`))).toBe(true);
});
