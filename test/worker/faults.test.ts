import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { presign, TEXT } from "../support/assets.ts";
import {
  breakingEnv,
  expectError,
  newWorkspace,
  send,
  type TestWorkspace,
  workerEnv,
} from "../support/harness.ts";
import {
  exampleBody,
  type Ids,
  makeResources,
  operations,
  pathWith,
  quietEnv,
} from "../support/resources.ts";

/** What has to be done, in a workspace with one resource of each kind, before an operation can succeed. */
const STEPS_BEFORE: Record<string, string[]> = {
  publishAsset: ["/v1/assets/{asset_id}/confirm"],
  unpublishBioPage: ["/v1/bio/pages/{page_id}/publish"],
};

/** Bodies where the example's would meet what is there already. */
const BODIES: Record<string, object> = {
  createLink: { url: "https://example.com", custom_slug: "another" },
};

type Operation = (typeof operations)[number];

interface Place {
  workspace: TestWorkspace;
  ids: Ids;
}

async function placeFor({ operation: { operationId } }: Operation): Promise<Place> {
  const workspace = await newWorkspace("enterprise");
  const ids = await makeResources(workspace);
  for (const step of STEPS_BEFORE[operationId] ?? []) {
    expect((await workspace.call("POST", pathWith(step, ids), { env: quietEnv })).status).toBe(200);
  }
  return { workspace, ids };
}

function run({ path, method, operation }: Operation, { workspace, ids }: Place, env: Env): Promise<Response> {
  const headers = { "Idempotency-Key": "the same each time" };
  const body = BODIES[operation.operationId] ?? exampleBody(operation);
  return workspace.call(method, pathWith(path, ids), { body, headers, env });
}

/** How much a workspace has of each kind, and what its plan was charged for it. */
async function inventory({ workspace }: Place): Promise<Record<string, number>> {
  const tables = ["links", "qr_templates", "bio_pages", "assets", "webhooks", "webhook_deliveries"];
  const statements = [
    ...tables.map(
      (table) => `SELECT '${table}' AS name, count(*) AS amount FROM ${table} WHERE workspace_id = ?`,
    ),
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
  done: Record<string, number>;
}

const outcomes = new Map<Operation, Outcome>();

/** What comes of an operation when nothing fails. */
async function undisturbed(operation: Operation): Promise<Outcome> {
  const known = outcomes.get(operation);
  if (known !== undefined) return known;
  const place = await placeFor(operation);
  const { status } = await run(operation, place, quietEnv);
  expect(status, operation.operation.operationId).toBeLessThan(300);
  const outcome = { status, done: await inventory(place) };
  outcomes.set(operation, outcome);
  return outcome;
}

/** Lets a request that ended without an answer be repeated at once. */
async function letGo({ workspace }: Place): Promise<void> {
  await workerEnv.DB.prepare("UPDATE idempotency_keys SET held_until = 0 WHERE workspace_id = ?")
    .bind(workspace.id)
    .run();
}

// Each failure is logged, as it should be.
beforeAll(() => void vi.spyOn(console, "error").mockImplementation(() => {}));
afterAll(() => void vi.restoreAllMocks());

const changing = operations.filter(({ method }) => method !== "GET");
const cases = changing.flatMap((operation) =>
  (["request", "answer"] as const).map(
    (broken) => [operation.operation.operationId, broken, operation] as const,
  ),
);

describe("D1 fails at any round trip, and the call is repeated with its Idempotency-Key", () => {
  test.each(cases)(
    "%s, the %s lost: done once or not at all, and in the end once",
    async (_, broken, operation) => {
      const { status, done } = await undisturbed(operation);
      for (let trip = 1; ; trip++) {
        const place = await placeFor(operation);
        const before = await inventory(place);
        const { env, isBroken } = breakingEnv(trip, broken, quietEnv);
        const answer = await run(operation, place, env);
        if (!isBroken()) break;

        if (answer.status !== status) await expectError(answer, 500, "INTERNAL_ERROR");
        expect([before, done]).toContainEqual(await inventory(place));
        await letGo(place);
        const again = await run(operation, place, quietEnv);
        // A deletion has no key: repeated, it finds that it is done.
        const statuses = operation.method === "DELETE" ? [status, 404] : [status];
        expect(statuses, `round trip ${trip}`).toContain(again.status);
        if (operation.method === "POST") expect(await inventory(place), `round trip ${trip}`).toEqual(done);
      }
    },
  );
});

/** A binding of which every use fails. */
const unreachable = new Proxy({} as never, {
  get: (_, member) => () => {
    throw new Error(`${String(member)}: internal error; reference = 0123456789`);
  },
});

const BINDINGS = ["LIMITER", "ENDPOINT_HEALTH", "PRIVATE_FILES", "PUBLIC_FILES", "DELIVERY_QUEUE"] as const;

describe("another binding fails throughout", () => {
  test.each(BINDINGS)(
    "%s: each call is done, or answered with a 500 and done at the next try",
    async (binding) => {
      for (const operation of changing) {
        const { status, done } = await undisturbed(operation);

        const place = await placeFor(operation);
        const before = await inventory(place);
        const answer = await run(operation, place, { ...quietEnv, [binding]: unreachable });
        const { operationId } = operation.operation;
        expect([before, done], operationId).toContainEqual(await inventory(place));
        if (answer.status === status) continue;
        await expectError(answer, 500, "INTERNAL_ERROR");
        expect((await run(operation, place, quietEnv)).status, operationId).toBe(status);
        expect(await inventory(place), operationId).toEqual(done);
      }
    },
  );
});

test("an upload that fails can be made again, and one whose answer was lost is confirmed", async () => {
  const workspace = await newWorkspace();
  const { id, upload } = await presign(workspace);
  const put = (env: Env) =>
    send(new Request(upload.url, { method: "PUT", headers: upload.headers, body: TEXT }), env);
  await expectError(await put({ ...workerEnv, PRIVATE_FILES: unreachable }), 500, "INTERNAL_ERROR");
  await expectError(await put(breakingEnv(1, "answer").env), 500, "INTERNAL_ERROR");
  await expectError(await workspace.call("POST", `/v1/assets/${id}/confirm`), 409, "ASSET_NOT_UPLOADED");

  // The second read of the database comes when the bytes are stored.
  await expectError(await put(breakingEnv(2, "request").env), 500, "INTERNAL_ERROR");
  await expectError(await put(workerEnv), 409, "ASSET_ALREADY_UPLOADED");
  expect((await workspace.call("POST", `/v1/assets/${id}/confirm`)).status).toBe(200);
});
