import fc from "fast-check";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { arbitraryRequest, type FuzzedRequest } from "../support/arbitrary.ts";
import { KEY } from "../support/arbitrary-headers.ts";
import { newWorkspace, send, type TestWorkspace } from "../support/harness.ts";
import { createPersonFixture } from "../support/operation-calls.ts";
import { APP, type TestPerson } from "../support/people.ts";
import {
  createResources,
  everyOperation,
  type Ids,
  personOperations,
  quietEnv,
  readStored,
} from "../support/resources.ts";

declare module "vitest" {
  interface ProvidedContext {
    fuzz: { runs: number; seed: number };
  }
}

// `npm test` sends the same requests each time. `npm run fuzz` sends 20,000 others.
const { runs, seed } = inject("fuzz");
/** Number of requests to the API. The others are in fuzz-visits.test.ts. */
const RUNS = Math.ceil(runs * 0.775);
/** Number of API keys that share the requests, so that none reaches its rate limit. */
const KEYS = 5;
/**
 * Number of requests after which a new workspace is created, because earlier requests may have deleted
 * resources.
 */
const REQUESTS_PER_WORKSPACE = 200;

/** Workspace that receives the requests, and its resources. */
interface Target {
  keys: TestWorkspace[];
  /** Owner who sends the requests that only people can make. */
  person: TestPerson | undefined;
  ids: Ids;
  requests: number;
  /** Stored data after the last request. */
  stored: string;
}

let target: Target;

async function createTarget(): Promise<Target> {
  const workspace = await newWorkspace("enterprise");
  const keys = await Promise.all(
    Array.from({ length: KEYS }, async () => workspace.as(await workspace.newKey())),
  );
  const { person, ids: ownIds } = await createPersonFixture(workspace);
  const ids = { ...ownIds, ...(await createResources(workspace)) };
  return { keys, person, ids, requests: 0, stored: await readStored(workspace) };
}

beforeAll(async () => {
  // No request may leave the machine.
  vi.stubGlobal("fetch", async () => {
    throw new TypeError("there is no network");
  });
  target = await createTarget();
});
afterAll(() => vi.unstubAllGlobals());

/**
 * Placeholders for ids. They are replaced when the request is sent, because the workspace only exists then.
 */
const PLACEHOLDERS: Ids = Object.fromEntries(
  [
    ...["link_id", "page_id", "template_id", "asset_id", "webhook_id", "delivery_id", "domain_id"],
    ...["key_id", "session_id"],
  ].map((name) => [name, `{${name}}`]),
);

/** Generates requests of all operations. Deletions are rarer, because each is followed by a new workspace. */
const anyRequest = fc.oneof(
  ...everyOperation.map((operation) => ({
    arbitrary: arbitraryRequest(operation, PLACEHOLDERS),
    weight: operation.method === "DELETE" ? 1 : 6,
  })),
);

const personOperationIds = new Set(personOperations.map(({ operation }) => operation.operationId));

/** Sends a request and checks the stored data afterwards. */
async function sendAndCheck(fuzzed: FuzzedRequest): Promise<void> {
  if (++target.requests > REQUESTS_PER_WORKSPACE) target = await createTarget();
  const { keys, ids, requests, person } = target;
  const workspace = keys[requests % KEYS] as TestWorkspace;
  const caller = personOperationIds.has(fuzzed.operationId) ? person : undefined;
  const build = () => buildRequest(fuzzed, workspace, ids, caller);
  const request = build();
  const context = `${request.method} ${request.url} ${JSON.stringify(fuzzed.headers)} ${fuzzed.body}`.slice(
    0,
    5_000,
  );

  const response = await sendChecked(request, context);
  const stored = await readStored(workspace);
  const isRefused = response.status >= 400;
  const isRead = ["GET", "HEAD", "OPTIONS"].includes(request.method);
  // The first GET for a link's QR code counts against the plan.
  const isCounted = fuzzed.operationId === "getLinkQr";
  if (isRefused || (isRead && !isCounted)) expect(stored, context).toBe(target.stored);
  if (request.headers.has("Idempotency-Key") && request.method === "POST") {
    await repeatRequest(build(), response, context);
    expect(await readStored(workspace), context).toBe(stored);
  }
  if (request.method === "DELETE" && !isRefused) target.requests = REQUESTS_PER_WORKSPACE;
  target.stored = stored;
}

function buildRequest(
  { method, path, headers, body }: FuzzedRequest,
  workspace: TestWorkspace,
  ids: Ids,
  person?: TestPerson,
): Request {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? "");
  const requestHeaders = new Headers();
  for (const [name, value] of headers) requestHeaders.append(name, value.replaceAll(KEY, workspace.key));
  const credentials: Record<string, string> =
    person === undefined
      ? { Authorization: `Bearer ${workspace.key}` }
      : {
          Cookie: `signpost_session=${person.token}`,
          Origin: APP,
          "X-SVC-Workspace": workspace.slug,
        };
  const defaults = { ...credentials, ...(body !== undefined && { "Content-Type": "application/json" }) };
  for (const [name, value] of Object.entries(defaults)) {
    if (!requestHeaders.has(name)) requestHeaders.set(name, value);
  }
  return new Request(`${person === undefined ? "http://localhost:8787" : APP}${filled}`, {
    method,
    headers: requestHeaders,
    ...(body !== undefined && { body }),
  });
}

/**
 * Sends a request and checks the rules for every response. `send` validates it against the OpenAPI document.
 */
async function sendChecked(request: Request, context: string): Promise<Response> {
  const response = await send(request, quietEnv);
  expect(response.status, context).toBeLessThan(500);
  // Only the app host uses cookies, and pages of other origins may not read its responses.
  const isForAllOrigins = !request.url.startsWith(APP);
  expect(response.headers.get("Access-Control-Allow-Origin"), context).toBe(isForAllOrigins ? "*" : null);
  expect(response.headers.has("Access-Control-Allow-Credentials"), context).toBe(false);
  expect(response.headers.get("X-Request-Id"), context).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}$/);
  if (request.method === "OPTIONS" && isForAllOrigins) expect(response.status, context).toBe(204);
  return response;
}

/** Sends a request again and checks that its Idempotency-Key replays the first response. */
async function repeatRequest(request: Request, first: Response, context: string): Promise<void> {
  const replay = await sendChecked(request, context);
  expect(replay.status, context).toBe(first.status);
  if (first.status >= 400 && !replay.headers.has("Idempotency-Replayed")) return;
  if (first.headers.get("Content-Type") !== "application/json") return;
  expect(replay.headers.get("Idempotency-Replayed"), context).toBe("true");
  expect(replay.headers.get("X-Request-Id"), context).toBe(first.headers.get("X-Request-Id"));
  expect(await replay.text(), context).toBe(await first.text());
}

test(`${RUNS} generated requests of seed ${seed} are documented, without 5xx, and rejected ones change nothing`, async () => {
  // Requests share state, so a failing sequence cannot be shrunk.
  await fc.assert(fc.asyncProperty(anyRequest, sendAndCheck), {
    numRuns: RUNS,
    endOnFailure: true,
    seed,
  });
}, 1_800_000);
