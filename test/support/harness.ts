import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import * as z from "zod";
import { sha256Hex } from "../../src/core/crypto.ts";
import { generateUuidv7 } from "../../src/core/id.ts";
import { getShard, listShards, mapDatabases } from "../../src/db/shards.ts";
import worker from "../../src/index.ts";
import { formatKey, generateKey } from "../../src/keys/key.ts";
import { type LinkResponse, linkResponse } from "../../src/links/link-response.ts";
import type { Scope } from "../../src/permissions/scopes.ts";
import type { PlanName } from "../../src/tenant/plans.ts";
import { checkResponse } from "./contract.ts";
import { countTrips, markAnswered, type Trips, watchDatabases } from "./counting.ts";

export { eventually } from "./eventually.ts";

/** The `env` of the Worker under test. A test that breaks a binding passes its own copy to {@link send}. */
export const workerEnv: Env = env;

/** URLs that the OpenAPI document describes. */
const DOCUMENTED =
  /^(?:http:\/\/localhost:8787\/(?:v1|docs|openapi\.json|healthz|uploads)|http:\/\/app\.localhost:8787\/v1)(?:[/?]|$)/;

/**
 * Sends one request through the Worker and waits until its `waitUntil` promises are settled. Fails the test if a
 * response of the API differs from the OpenAPI document.
 */
export async function send(request: Request, bindings: Env = workerEnv): Promise<Response> {
  const context = createExecutionContext();
  const response = await worker.fetch(request as Parameters<typeof worker.fetch>[0], bindings, context);
  markAnswered(bindings);
  // Read before the execution context ends: some streamed bodies end only while the request is alive.
  const body = response.body === null ? null : await response.arrayBuffer();
  await waitOnExecutionContext(context);
  if (DOCUMENTED.test(request.url)) checkResponse(request, response, body);
  return new Response(body, response);
}

interface CallOptions {
  body?: unknown;
  headers?: Record<string, string>;
  env?: Env;
}

/** Workspace with an API key, created for one test. */
export interface TestWorkspace {
  id: string;
  slug: string;
  /** Number of the workspace's shard. */
  shardNumber: number;
  /** Database of the workspace's shard. */
  shard: D1Database;
  /** Short host, without a port. */
  hostname: string;
  key: string;
  /** Calls the API with the workspace's key. */
  call(method: string, path: string, options?: CallOptions): Promise<Response>;
  /** Creates another key. */
  newKey(options?: KeyOptions): Promise<string>;
  /** Returns the same workspace with another key. */
  as(key: string): TestWorkspace;
  /** Requests a path of the workspace's short host. Does not follow redirects. */
  visit(path: string, init?: RequestInit): Promise<Response>;
}

interface KeyOptions {
  scopes?: (Scope | "*")[];
  expiresAt?: number;
  revokedAt?: number;
}

let workspaceCount = 0;

/**
 * Returns the shard of the workspaces that the running test creates. All of them share it, so that only
 * conditions separate their rows. Tests are distributed over all shards.
 */
function chooseShard(): number {
  const name = expect.getState().currentTestName ?? "";
  const sum = [...name].reduce((total, character) => total + (character.codePointAt(0) ?? 0), 0);
  return sum % listShards(workerEnv).length;
}

/** Creates a workspace on a plan, with a short host and one key that has all scopes. */
export async function newWorkspace(
  plan: PlanName = "business",
  shardNumber = chooseShard(),
): Promise<TestWorkspace> {
  workspaceCount += 1;
  const id = generateUuidv7(Date.now());
  const slug = `w${workspaceCount}-${id.slice(-6)}`;
  const hostname = `${slug}.localhost`;
  const nowMs = Date.now();
  const { DIRECTORY } = workerEnv;
  const { key, statement: insertKey } = await prepareKey(id);
  const [inserted] = await DIRECTORY.batch<{ number: number }>([
    DIRECTORY.prepare(
      `INSERT INTO workspaces (id, slug, name, description, plan, shard, created_at)
       VALUES (?, ?, ?, '', ?, ?, ?) RETURNING number`,
    ).bind(id, slug, `Workspace ${workspaceCount}`, plan, shardNumber, nowMs),
    prepareDomain(id, hostname),
    insertKey,
  ]);
  const number = inserted?.results[0]?.number;
  for (const other of listShards(workerEnv)) {
    const d1 = getShard(workerEnv, other);
    const tenant = d1.prepare("INSERT INTO tenants (id, number) VALUES (?, ?)").bind(id, number);
    await d1.batch([...(other === shardNumber ? [tenant] : []), prepareOwnHost(d1, hostname)]);
  }
  const shard = getShard(workerEnv, shardNumber);
  return buildWorkspace({ id, slug, hostname, key, shardNumber, shard });
}

type WorkspaceFacts = Pick<TestWorkspace, "id" | "slug" | "hostname" | "key" | "shardNumber" | "shard">;

function buildWorkspace(facts: WorkspaceFacts): TestWorkspace {
  return {
    ...facts,
    call: (method, path, options) => call(facts.key, method, path, options),
    newKey: (options) => newKey(facts.id, options),
    as: (key) => buildWorkspace({ ...facts, key }),
    visit: (path, init) =>
      send(new Request(`http://${facts.hostname}:8787${path}`, { redirect: "manual", ...init })),
  };
}

async function newKey(workspaceId: string, options?: KeyOptions): Promise<string> {
  const { key, statement } = await prepareKey(workspaceId, options);
  await statement.run();
  return key;
}

/** Generates an API key, and prepares the statement that inserts it. */
async function prepareKey(
  workspaceId: string,
  { scopes = ["*"], expiresAt, revokedAt }: KeyOptions = {},
): Promise<{ key: string; statement: D1PreparedStatement }> {
  const parts = generateKey();
  const statement = workerEnv.DIRECTORY.prepare(
    `INSERT INTO api_keys (id, prefix, workspace_id, name, secret_hash, scopes, expires_at, revoked_at, created_at)
     VALUES (?, ?, ?, 'test', ?, ?, ?, ?, ?)`,
  ).bind(
    generateUuidv7(Date.now()),
    parts.prefix,
    workspaceId,
    await sha256Hex(parts.secret),
    JSON.stringify(scopes),
    expiresAt ?? null,
    revokedAt ?? null,
    Date.now(),
  );
  return { key: formatKey(parts), statement };
}

/** Returns an `env` in which `wrap` replaces the database of every shard. */
export function wrapShards(wrap: (d1: D1Database) => D1Database, bindings: Env = workerEnv): Env {
  return mapDatabases(bindings, (d1, name) => (name === "DIRECTORY" ? d1 : wrap(d1)));
}

/** Runs a statement on every shard. Returns all rows. */
export async function onEachShard<Row>(statement: string, ...values: unknown[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const shard of listShards(workerEnv)) {
    const { results } = await getShard(workerEnv, shard)
      .prepare(statement)
      .bind(...values)
      .all<Row>();
    rows.push(...results);
  }
  return rows;
}

/** Adds a host to a workspace. Short URLs keep the first host. */
export async function addDomain({ id }: Pick<TestWorkspace, "id">, hostname: string): Promise<void> {
  for (const shard of listShards(workerEnv)) {
    await prepareOwnHost(getShard(workerEnv, shard), hostname).run();
  }
  await prepareDomain(id, hostname).run();
}

function prepareOwnHost(d1: D1Database, hostname: string): D1PreparedStatement {
  return d1.prepare("INSERT INTO own_hosts (hostname) VALUES (?)").bind(hostname);
}

function prepareDomain(workspaceId: string, hostname: string): D1PreparedStatement {
  return workerEnv.DIRECTORY.prepare(
    "INSERT INTO domains (hostname, workspace_id, created_at) VALUES (?, ?, ?)",
  ).bind(hostname, workspaceId, Date.now());
}

/** Creates a link through the API. Its destination is https://example.com/ unless `body` contains another. */
export async function createLink(
  workspace: TestWorkspace,
  body: object = {},
  bindings?: Env,
): Promise<LinkResponse> {
  const response = await workspace.call("POST", "/v1/links", {
    body: { url: "https://example.com/", ...body },
    ...(bindings && { env: bindings }),
  });
  return (await expectData(response, linkResponse, 201)).data;
}

/** Sends an API request. A string body is sent unchanged, any other body as JSON. */
export function call(
  key: string | null,
  method: string,
  path: string,
  { body, headers = {}, env: bindings }: CallOptions = {},
): Promise<Response> {
  const request = new Request(`http://localhost:8787${path}`, {
    method,
    headers: {
      ...(key !== null && { Authorization: `Bearer ${key}` }),
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  return send(request, bindings);
}

/** Returns an `env` that counts its accesses to storage. `trips` returns the number of round trips to D1. */
export function countingEnv(base: Env = workerEnv): { env: Env; trips: () => number; counts: Trips } {
  const { env, trips: counts } = countTrips(base);
  return { env, trips: () => counts.d1, counts };
}

/** Message that is lost with the connection to D1. If the response is lost, the statements were executed. */
export type LostMessage = "request" | "response";

/** D1 error that the service retries (https://developers.cloudflare.com/d1/best-practices/retry-queries/). */
export const TRANSIENT_FAILURE = "D1_ERROR: Network connection lost.";
/** D1 error that the service does not retry. */
export const FINAL_FAILURE = "D1_ERROR: internal error; reference = 0123456789";

/**
 * Returns an `env` whose D1 fails in the given round trip, counted from 1. `isBroken` returns true
 * afterwards.
 */
export function breakingEnv(
  trip: number,
  lostMessage: LostMessage,
  base: Env = workerEnv,
  failure = FINAL_FAILURE,
): { env: Env; isBroken: () => boolean } {
  let trips = 0;
  const env = watchDatabases(base, async (makeTrip) => {
    trips += 1;
    if (trips !== trip) return makeTrip();
    if (lostMessage === "response") await makeTrip();
    throw new Error(failure);
  });
  return { env, isBroken: () => trips >= trip };
}

const meta = z.strictObject({
  request_id: z.uuid(),
  rate_limit: z.union([
    z.strictObject({ limit: z.int(), remaining: z.int(), reset: z.int() }),
    z.strictObject({ remaining: z.int(), reset_at: z.iso.datetime() }),
  ]),
  total: z.int().optional(),
  limit: z.int().optional(),
  offset: z.int().optional(),
  total_is_capped: z.boolean().optional(),
  next_before: z.string().nullable().optional(),
  warnings: z.array(z.string()).min(1).optional(),
});

/** Checks status and envelope of a response, parses its data by `schema` and returns data and meta. */
export async function expectData<Schema extends z.ZodType>(
  response: Response,
  schema: Schema,
  status = 200,
): Promise<{ data: z.output<Schema>; meta: z.output<typeof meta> }> {
  const body = await response.json();
  expect(response.status, JSON.stringify(body)).toBe(status);
  const parsed = z.strictObject({ data: schema, meta }).parse(body);
  expect(response.headers.get("X-Request-Id")).toBe(parsed.meta.request_id);
  return parsed as { data: z.output<Schema>; meta: z.output<typeof meta> };
}

const errorBody = z.strictObject({
  error: z.strictObject({
    code: z.string(),
    message: z.string(),
    status: z.int(),
    details: z.array(z.strictObject({ field: z.string(), message: z.string() })).optional(),
  }),
  meta: z.strictObject({ request_id: z.uuid() }),
});

/** Checks that a response is the error envelope with this status and code, and returns the error. */
export async function expectError(response: Response, status: number, code: string) {
  const body = await response.json();
  expect(response.status, JSON.stringify(body)).toBe(status);
  const { error, meta } = errorBody.parse(body);
  expect(error).toMatchObject({ code, status });
  expect(response.headers.get("X-Request-Id")).toBe(meta.request_id);
  return error;
}
