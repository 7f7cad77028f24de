import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import * as z from "zod";
import { formatKey, generateKey, type Scope } from "../../src/auth/key.ts";
import { sha256Hex } from "../../src/core/crypto.ts";
import { uuidv7 } from "../../src/core/id.ts";
import worker from "../../src/index.ts";
import type { PlanName } from "../../src/tenant/plans.ts";
import { checkResponse } from "./contract.ts";
import { countTrips, type Trips, watchTrips } from "./counting.ts";

export { eventually } from "./eventually.ts";

/** The `env` of the Worker under test; a test that breaks a binding passes its own copy to {@link send}. */
export const workerEnv: Env = env;

const API_PATH = /^\/(v1|docs|openapi\.json|healthz|uploads)(\/|$)/;

/**
 * Sends one request through the Worker and waits for what it runs after the answer. What the API answers has to be as its
 * document says.
 */
export async function send(request: Request, bindings: Env = workerEnv): Promise<Response> {
  const context = createExecutionContext();
  const response = await worker.fetch(request as Parameters<typeof worker.fetch>[0], bindings, context);
  // Read here: some answers are streams that end only while the request lives.
  const body = response.body === null ? null : await response.arrayBuffer();
  await waitOnExecutionContext(context);
  const { hostname, pathname } = new URL(request.url);
  if (hostname === "localhost" && API_PATH.test(pathname)) checkResponse(request, response, body);
  return new Response(body, response);
}

interface CallOptions {
  body?: unknown;
  headers?: Record<string, string>;
  env?: Env;
}

/** A workspace with a key, made for one test. */
export interface TestWorkspace {
  id: string;
  slug: string;
  /** Its short host, without a port. */
  hostname: string;
  key: string;
  /** Calls the API with the workspace's key. */
  call(method: string, path: string, options?: CallOptions): Promise<Response>;
  /** Makes a further key. */
  newKey(options?: KeyOptions): Promise<string>;
  /** The same workspace, called with another key. */
  as(key: string): TestWorkspace;
  /** Asks its short host for a path. */
  visit(path: string, init?: RequestInit): Promise<Response>;
}

interface KeyOptions {
  scopes?: (Scope | "*")[];
  expiresAt?: number;
  revokedAt?: number;
}

let made = 0;

/** A fresh workspace on a plan, with its short host and one key of all scopes. */
export async function newWorkspace(plan: PlanName = "business"): Promise<TestWorkspace> {
  made += 1;
  const id = uuidv7(Date.now());
  const slug = `w${made}-${id.slice(-6)}`;
  const hostname = `${slug}.localhost`;
  await workerEnv.DB.batch([
    workerEnv.DB.prepare(
      "INSERT INTO workspaces (id, slug, name, description, plan, created_at) VALUES (?, ?, ?, '', ?, ?)",
    ).bind(id, slug, `Workspace ${made}`, plan, Date.now()),
    workerEnv.DB.prepare("INSERT INTO domains (hostname, workspace_id, created_at) VALUES (?, ?, ?)").bind(
      hostname,
      id,
      Date.now(),
    ),
  ]);
  const key = await newKey(id);
  return workspaceWith({ id, slug, hostname, key });
}

function workspaceWith(facts: Pick<TestWorkspace, "id" | "slug" | "hostname" | "key">): TestWorkspace {
  return {
    ...facts,
    call: (method, path, options) => call(facts.key, method, path, options),
    newKey: (options) => newKey(facts.id, options),
    as: (key) => workspaceWith({ ...facts, key }),
    visit: (path, init) =>
      send(new Request(`http://${facts.hostname}:8787${path}`, { redirect: "manual", ...init })),
  };
}

async function newKey(
  workspaceId: string,
  { scopes = ["*"], expiresAt, revokedAt }: KeyOptions = {},
): Promise<string> {
  const parts = generateKey();
  await workerEnv.DB.prepare(
    `INSERT INTO api_keys (id, prefix, workspace_id, name, secret_hash, scopes, expires_at, revoked_at, created_at)
     VALUES (?, ?, ?, 'test', ?, ?, ?, ?, ?)`,
  )
    .bind(
      uuidv7(Date.now()),
      parts.prefix,
      workspaceId,
      await sha256Hex(parts.secret),
      JSON.stringify(scopes),
      expiresAt ?? null,
      revokedAt ?? null,
      Date.now(),
    )
    .run();
  return formatKey(parts);
}

/** Calls the API surface. A string body goes out as it is, anything else as JSON. */
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

/** An `env` that counts what is asked of storage; `trips` are those to D1. */
export function countingEnv(base: Env = workerEnv): { env: Env; trips: () => number; counts: Trips } {
  const { env, trips: counts } = countTrips(base);
  return { env, trips: () => counts.d1, counts };
}

/** Where the connection to D1 breaks: on the way there, so that nothing happens, or on the way back. */
export type Break = "request" | "answer";

/** An `env` whose D1 fails in one of its round trips, counted from 1. */
export function breakingEnv(
  trip: number,
  broken: Break,
  base: Env = workerEnv,
): { env: Env; isBroken: () => boolean } {
  let trips = 0;
  const DB = watchTrips(base.DB, async (make) => {
    trips += 1;
    if (trips !== trip) return make();
    if (broken === "answer") await make();
    throw new Error("D1_ERROR: Network connection lost.");
  });
  return { env: { ...base, DB }, isBroken: () => trips >= trip };
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
});

/** Checks an answer's status and envelope, and its data by the operation's own schema. */
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

/** Checks that an answer is the error envelope with this status and code, and answers with the error. */
export async function expectError(response: Response, status: number, code: string) {
  const body = await response.json();
  expect(response.status, JSON.stringify(body)).toBe(status);
  const { error, meta } = errorBody.parse(body);
  expect(error).toMatchObject({ code, status });
  expect(response.headers.get("X-Request-Id")).toBe(meta.request_id);
  return error;
}
