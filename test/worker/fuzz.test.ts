import fc from "fast-check";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { arbitraryRequest, type FuzzedRequest } from "../support/arbitrary.ts";
import { KEY } from "../support/arbitrary-headers.ts";
import { newWorkspace, send, type TestWorkspace } from "../support/harness.ts";
import { type Ids, makeResources, operations, quietEnv, storedBy } from "../support/resources.ts";

declare module "vitest" {
  interface ProvidedContext {
    fuzz: { runs: number; seed: number };
  }
}

// 2,000 requests in `npm test`, the same ones every time; 20,000 others in `npm run fuzz`.
const { runs, seed } = inject("fuzz");
/** Of all of them, so many go to the API; the others are in fuzz-visits.test.ts. */
const RUNS = Math.ceil(runs * 0.775);
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
    arbitrary: arbitraryRequest(operation, PLACEHOLDERS),
    weight: operation.method === "DELETE" ? 1 : 6,
  })),
);

async function fire(fuzzed: FuzzedRequest): Promise<void> {
  if (++target.requests > REQUESTS_OF_A_WORKSPACE) target = await newTarget();
  const { keys, ids, requests } = target;
  const workspace = keys[requests % KEYS] as TestWorkspace;
  const request = requestFrom(fuzzed, workspace, ids);
  const told = `${request.method} ${request.url} ${JSON.stringify(fuzzed.headers)} ${fuzzed.body}`.slice(
    0,
    5_000,
  );

  const response = await ask(request, told);
  const stored = await storedBy(workspace.id);
  const isRefused = response.status >= 400;
  const isRead = ["GET", "HEAD", "OPTIONS"].includes(request.method);
  // The first rendering of a link's QR code counts against the plan.
  const countsOnce = fuzzed.operationId === "getLinkQr";
  if (isRefused || (isRead && !countsOnce)) expect(stored, told).toBe(target.stored);
  if (request.headers.has("Idempotency-Key") && request.method === "POST") {
    await repeat(requestFrom(fuzzed, workspace, ids), response, told);
    expect(await storedBy(workspace.id), told).toBe(stored);
  }
  if (request.method === "DELETE" && !isRefused) target.requests = REQUESTS_OF_A_WORKSPACE;
  target.stored = stored;
}

function requestFrom(
  { method, path, headers, body }: FuzzedRequest,
  workspace: TestWorkspace,
  ids: Ids,
): Request {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? "");
  const sent = new Headers();
  for (const [name, value] of headers) sent.append(name, value.replaceAll(KEY, workspace.key));
  if (!sent.has("Authorization")) sent.set("Authorization", `Bearer ${workspace.key}`);
  if (!sent.has("Content-Type") && body !== undefined) sent.set("Content-Type", "application/json");
  return new Request(`http://localhost:8787${filled}`, {
    method,
    headers: sent,
    ...(body !== undefined && { body }),
  });
}

/** Sends a request. That the answer is as documented is checked on its way; here, what holds for every one. */
async function ask(request: Request, told: string): Promise<Response> {
  const response = await send(request, quietEnv);
  expect(response.status, told).toBeLessThan(500);
  expect(response.headers.get("Access-Control-Allow-Origin"), told).toBe("*");
  expect(response.headers.has("Access-Control-Allow-Credentials"), told).toBe(false);
  expect(response.headers.get("X-Request-Id"), told).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}$/);
  if (request.method === "OPTIONS") expect(response.status, told).toBe(204);
  return response;
}

/** The same request again: what was done under its Idempotency-Key is answered as before, and not done again. */
async function repeat(request: Request, first: Response, told: string): Promise<void> {
  const again = await ask(request, told);
  expect(again.status, told).toBe(first.status);
  if (first.status >= 400 && !again.headers.has("Idempotency-Replayed")) return;
  if (first.headers.get("Content-Type") !== "application/json") return;
  expect(again.headers.get("Idempotency-Replayed"), told).toBe("true");
  expect(again.headers.get("X-Request-Id"), told).toBe(first.headers.get("X-Request-Id"));
  expect(await again.text(), told).toBe(await first.text());
}

test(`${RUNS} requests of seed ${seed}, many of them hostile: no 5xx, every answer as documented, nothing changed by a refusal`, async () => {
  // The state goes on from one request to the next, so a failure is told as it came and not made smaller.
  await fc.assert(fc.asyncProperty(anyRequest, fire), {
    numRuns: RUNS,
    endOnFailure: true,
    seed,
  });
}, 1_800_000);
