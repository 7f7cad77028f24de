import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { presignAsset, TEXT } from "../support/assets.ts";
import {
  breakingEnv,
  expectError,
  newWorkspace,
  send,
  type TestWorkspace,
  workerEnv,
} from "../support/harness.ts";
import {
  createResources,
  fillPath,
  getExampleBody,
  type Ids,
  operations,
  quietEnv,
} from "../support/resources.ts";

/** Requests that must be sent after `createResources` before an operation can succeed. */
const PREPARATION: Record<string, string[]> = {
  publishAsset: ["/v1/assets/{asset_id}/confirm"],
  unpublishBioPage: ["/v1/bio/pages/{page_id}/publish"],
};

/** Request bodies for operations whose example conflicts with the created resources. */
const BODIES: Record<string, object> = {
  createLink: { url: "https://example.com", custom_slug: "another" },
};

type Operation = (typeof operations)[number];

/** Workspace in which an operation can succeed. */
interface Fixture {
  workspace: TestWorkspace;
  ids: Ids;
}

async function createFixture({ operation: { operationId } }: Operation): Promise<Fixture> {
  const workspace = await newWorkspace("enterprise");
  const ids = await createResources(workspace);
  for (const path of PREPARATION[operationId] ?? []) {
    expect((await workspace.call("POST", fillPath(path, ids), { env: quietEnv })).status).toBe(200);
  }
  return { workspace, ids };
}

function callOperation(
  { path, method, operation }: Operation,
  { workspace, ids }: Fixture,
  env: Env,
): Promise<Response> {
  const headers = { "Idempotency-Key": "the same each time" };
  const body = BODIES[operation.operationId] ?? getExampleBody(operation);
  return workspace.call(method, fillPath(path, ids), { body, headers, env });
}

/** Counts the resources of each kind in a workspace and reads its usage counters. */
async function countResources({ workspace }: Fixture): Promise<Record<string, number>> {
  const tables = [
    "links",
    "qr_templates",
    "bio_pages",
    "assets",
    "webhooks",
    "webhook_lanes",
    "webhook_events",
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
  const results = await workerEnv.DB.batch<{ name: string; amount: number }>(
    statements.map((statement) => workerEnv.DB.prepare(statement).bind(workspace.id)),
  );
  const rows = results.flatMap(({ results }) => results);
  return Object.fromEntries(rows.map(({ name, amount }) => [name, amount]));
}

interface Outcome {
  status: number;
  /** Resources after the operation. */
  counts: Record<string, number>;
}

const outcomes = new Map<Operation, Outcome>();

/** Returns the outcome of an operation when nothing fails. */
async function getNormalOutcome(operation: Operation): Promise<Outcome> {
  const known = outcomes.get(operation);
  if (known !== undefined) return known;
  const fixture = await createFixture(operation);
  const { status } = await callOperation(operation, fixture, quietEnv);
  expect(status, operation.operation.operationId).toBeLessThan(300);
  const outcome = { status, counts: await countResources(fixture) };
  outcomes.set(operation, outcome);
  return outcome;
}

/** Releases the locks of idempotency keys, so that a request that ended without a response can be repeated at once. */
async function releaseIdempotencyKeys({ workspace }: Fixture): Promise<void> {
  await workerEnv.DB.prepare("UPDATE idempotency_keys SET held_until = 0 WHERE workspace_id = ?")
    .bind(workspace.id)
    .run();
}

// Each failure is logged.
beforeAll(() => void vi.spyOn(console, "error").mockImplementation(() => {}));
afterAll(() => void vi.restoreAllMocks());

const changingOperations = operations.filter(({ method }) => method !== "GET");
const cases = changingOperations.flatMap((operation) =>
  (["request", "response"] as const).map(
    (lostMessage) => [operation.operation.operationId, lostMessage, operation] as const,
  ),
);

describe("a failure of D1 at any round trip, and a retry with the same Idempotency-Key", () => {
  test.each(cases)(
    "%s with the %s lost takes effect once or not at all, and exactly once after the retry",
    async (_, lostMessage, operation) => {
      const { status, counts } = await getNormalOutcome(operation);
      for (let trip = 1; ; trip++) {
        const fixture = await createFixture(operation);
        const before = await countResources(fixture);
        const { env, isBroken } = breakingEnv(trip, lostMessage, quietEnv);
        const response = await callOperation(operation, fixture, env);
        if (!isBroken()) break;

        if (response.status !== status) await expectError(response, 500, "INTERNAL_ERROR");
        expect([before, counts]).toContainEqual(await countResources(fixture));
        await releaseIdempotencyKeys(fixture);
        const retry = await callOperation(operation, fixture, quietEnv);
        // DELETE ignores Idempotency-Key, so its retry can return 404.
        const statuses = operation.method === "DELETE" ? [status, 404] : [status];
        expect(statuses, `round trip ${trip}`).toContain(retry.status);
        if (operation.method === "POST") {
          expect(await countResources(fixture), `round trip ${trip}`).toEqual(counts);
        }
      }
    },
  );
});

/** Binding that fails at every use. */
const unreachable = new Proxy({} as never, {
  get: (_, member) => () => {
    throw new Error(`${String(member)}: internal error; reference = 0123456789`);
  },
});

const BINDINGS = ["LIMITER", "ENDPOINT_HEALTH", "PRIVATE_FILES", "PUBLIC_FILES", "DELIVERY_QUEUE"] as const;

describe("a binding that always fails", () => {
  test.each(BINDINGS)(
    "%s: each operation succeeds, or returns 500 and succeeds at the retry",
    async (binding) => {
      for (const operation of changingOperations) {
        const { status, counts } = await getNormalOutcome(operation);

        const fixture = await createFixture(operation);
        const before = await countResources(fixture);
        const response = await callOperation(operation, fixture, { ...quietEnv, [binding]: unreachable });
        const { operationId } = operation.operation;
        expect([before, counts], operationId).toContainEqual(await countResources(fixture));
        if (response.status === status) continue;
        await expectError(response, 500, "INTERNAL_ERROR");
        expect((await callOperation(operation, fixture, quietEnv)).status, operationId).toBe(status);
        expect(await countResources(fixture), operationId).toEqual(counts);
      }
    },
  );
});

test("an upload that fails can be repeated, and one whose response was lost can be confirmed", async () => {
  const workspace = await newWorkspace();
  const { id, upload } = await presignAsset(workspace);
  const put = (env: Env) =>
    send(new Request(upload.url, { method: "PUT", headers: upload.headers, body: TEXT }), env);
  await expectError(await put({ ...workerEnv, PRIVATE_FILES: unreachable }), 500, "INTERNAL_ERROR");
  await expectError(await put(breakingEnv(1, "response").env), 500, "INTERNAL_ERROR");
  await expectError(await workspace.call("POST", `/v1/assets/${id}/confirm`), 409, "ASSET_NOT_UPLOADED");

  // The second round trip to D1 follows the storage of the bytes.
  await expectError(await put(breakingEnv(2, "request").env), 500, "INTERNAL_ERROR");
  await expectError(await put(workerEnv), 409, "ASSET_ALREADY_UPLOADED");
  expect((await workspace.call("POST", `/v1/assets/${id}/confirm`)).status).toBe(200);
});
