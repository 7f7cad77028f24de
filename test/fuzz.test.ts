import fc from "fast-check";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { type FuzzedRequest, requestOf } from "./support/arbitrary.ts";
import { newWorkspace, type TestWorkspace } from "./support/harness.ts";
import { type Ids, makeResources, operations, quietEnv, storedBy } from "./support/resources.ts";

declare module "vitest" {
  interface ProvidedContext {
    fuzz: { runs: number; seed?: number };
  }
}

// 2,000 requests in `npm test`, the same ones every time; 20,000 others in `npm run fuzz`.
const { runs, seed } = inject("fuzz");
/** A workspace of the largest plan stands this many calls a second with one key. */
const KEYS = 5;
/** After so many requests a new workspace is made, whose resources are all there. */
const REQUESTS_OF_A_WORKSPACE = 200;

/** A workspace to fire at, and what is in it. */
interface Target {
  keys: TestWorkspace[];
  ids: Ids;
  requests: number;
  /** What was stored after the last request. */
  stored: string;
}

let target: Target;

async function newTarget(): Promise<Target> {
  const workspace = await newWorkspace("enterprise");
  const keys = await Promise.all(
    Array.from({ length: KEYS }, async () => workspace.as(await workspace.newKey())),
  );
  const ids = await makeResources(workspace);
  return { keys, ids, requests: 0, stored: await storedBy(workspace.id) };
}

beforeAll(async () => {
  // Nothing here is to leave the machine.
  vi.stubGlobal("fetch", async () => {
    throw new TypeError("there is no network");
  });
  target = await newTarget();
});
afterAll(() => vi.unstubAllGlobals());

/** Ids are placeholders until the request is made, since the workspace is another one by then. */
const PLACEHOLDERS: Ids = Object.fromEntries(
  ["link_id", "page_id", "template_id", "asset_id", "webhook_id", "delivery_id"].map((name) => [
    name,
    `{${name}}`,
  ]),
);

/** Deletions are rarer than the rest, since each is followed by making everything anew. */
const anyRequest = fc.oneof(
  ...operations.map((operation) => ({
    arbitrary: requestOf(operation, PLACEHOLDERS),
    weight: operation.method === "DELETE" ? 1 : 6,
  })),
);

async function fire({ operation, path, body }: FuzzedRequest): Promise<void> {
  if (++target.requests > REQUESTS_OF_A_WORKSPACE) target = await newTarget();
  const { keys, ids, requests } = target;
  const workspace = keys[requests % KEYS] as TestWorkspace;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? "");
  // The answer is checked against the document on its way.
  const response = await workspace.call(operation.method, filled, { body, env: quietEnv });
  expect(response.status, `${operation.method} ${filled} ${body}`).toBeLessThan(500);
  const stored = await storedBy(workspace.id);
  const isRefused = response.status >= 400;
  // The first rendering of a link's QR code counts against the plan.
  const isRead = operation.method === "GET" && operation.operation.operationId !== "getLinkQr";
  if (isRefused || isRead) expect(stored, `${operation.method} ${filled} ${body}`).toBe(target.stored);
  if (operation.method === "DELETE" && !isRefused) target.requests = REQUESTS_OF_A_WORKSPACE;
  target.stored = stored;
}

test(`${runs} requests, many of them hostile: no 5xx, every answer as documented, nothing changed by a refusal`, async () => {
  // The state goes on from one request to the next, so a failure is told as it came and not made smaller.
  await fc.assert(fc.asyncProperty(anyRequest, fire), {
    numRuns: runs,
    endOnFailure: true,
    ...(seed !== undefined && { seed }),
  });
}, 1_800_000);
