import { createSignpostClient, type SignpostClient } from "../../src/client/client.ts";
import { sha256Hex } from "../../src/core/crypto.ts";
import { generateUuidv7 } from "../../src/core/id.ts";
import * as service from "../../src/index.ts";
import { formatKey, generateKey } from "../../src/keys/key.ts";
import { hashSessionToken } from "../../src/members/sessions.ts";
import { API_HOST, context, createBindings, settle } from "./memory-bindings.ts";

/**
 * Service in this process, for Node tests of its callers: the Worker's code with databases in memory. Calls
 * have no limits per second.
 */

/** Origin of the dashboard. */
export const APP_ORIGIN = `http://app.${API_HOST}`;
const API_URL = `http://${API_HOST}`;

/** Workspace with one signed-in owner. */
export interface MemoryWorkspace {
  /** Email address of the owner. */
  readonly email: string;
  /** Key that has all scopes. */
  readonly key: string;
  /** Client of the API with the key. */
  readonly client: SignpostClient;
  /** Sends a request as the owner's browser does. */
  send(request: Request): Promise<Response>;
  /** Opens a short link as a visitor does. */
  visit(code: string, headers?: Record<string, string>): Promise<Response>;
  /** Changes the role of the owner. */
  setRole(role: string): Promise<void>;
  /** Changes the plan. */
  setPlan(plan: string): Promise<void>;
}

const ALLOWED = { verdict: "allowed", burstRemaining: 20, callsThisMonth: 1, cycle: "2026-11" };
const LIMITER = {
  take: async () => ALLOWED,
  takeToken: async () => ALLOWED,
  giveBack: async () => {},
  takeExport: async () => 0,
  endExport: async () => {},
};

const env = createBindings(async () => service);
// Calls have no limits, and the data centre's cache is always empty.
Object.assign(env, { LIMITER: { getByName: () => LIMITER } });
Object.assign(globalThis, {
  caches: { default: { match: async () => undefined, put: async () => {}, delete: async () => true } },
});

async function dispatch(request: Request): Promise<Response> {
  const response = await service.default.fetch(
    request as Parameters<typeof service.default.fetch>[0],
    env,
    context,
  );
  await settle(context);
  return response;
}

async function insert(table: string, row: Record<string, string | number>): Promise<void> {
  const columns = Object.keys(row);
  const sql = `INSERT INTO ${table} (${columns.join()}) VALUES (${columns.map(() => "?").join()})`;
  await env.DIRECTORY.prepare(sql)
    .bind(...Object.values(row))
    .run();
}

let count = 0;

/**
 * Creates an empty workspace on the business plan with a signed-in owner. An owner with the same `email` as
 * another workspace's owner is the same person.
 */
export async function createMemoryWorkspace({
  name = "Demo",
  email = `owner@w${count + 1}.example`,
} = {}): Promise<MemoryWorkspace> {
  count += 1;
  const nowMs = Date.now();
  const id = generateUuidv7(nowMs);
  const [slug, memberId] = [`w${count}`, generateUuidv7(nowMs)];
  const host = `${slug}.localhost`;
  await insert("workspaces", {
    id,
    slug,
    name,
    description: "",
    plan: "business",
    shard: 0,
    created_at: nowMs,
  });
  const { number } = (await env.DIRECTORY.prepare("SELECT number FROM workspaces WHERE id = ?")
    .bind(id)
    .first()) as {
    number: number;
  };
  await env.SHARD_0.prepare("INSERT INTO tenants (id, number) VALUES (?, ?)").bind(id, number).run();
  await env.SHARD_0.prepare("INSERT INTO own_hosts (hostname) VALUES (?)").bind(host).run();
  await insert("domains", { hostname: host, workspace_id: id, created_at: nowMs });
  const parts = generateKey();
  const secretHash = await sha256Hex(parts.secret);
  const key = { id: generateUuidv7(nowMs), prefix: parts.prefix, workspace_id: id, name: "test" };
  await insert("api_keys", { ...key, secret_hash: secretHash, scopes: '["*"]', created_at: nowMs });
  await insert("members", {
    id: memberId,
    workspace_id: id,
    email,
    name: "Demo owner",
    role: "owner",
    created_at: nowMs,
  });
  const token = `${slug}${"t".repeat(48)}`.slice(0, 48);
  const token_hash = await hashSessionToken(token);
  const times = { created_at: nowMs, last_seen_at: nowMs, expires_at: nowMs + 86_400_000 };
  await insert("sessions", {
    token_hash,
    id: generateUuidv7(nowMs),
    email,
    name: "Demo owner",
    user_agent: "",
    ...times,
  });
  const setColumn = (table: string, column: string, value: string, where: string) =>
    env.DIRECTORY.prepare(`UPDATE ${table} SET ${column} = ? WHERE id = ?`).bind(value, where).run();
  const apiKey = formatKey(parts);
  return {
    email,
    key: apiKey,
    client: createSignpostClient({
      apiUrl: API_URL,
      key: apiKey,
      fetch: dispatch as typeof fetch,
      retries: 0,
    }),
    async send(request) {
      const headers = new Headers(request.headers);
      headers.set("Cookie", `signpost_session=${token}`);
      if (request.method !== "GET") headers.set("Origin", APP_ORIGIN);
      return dispatch(new Request(request, { headers }));
    },
    visit: (code, headers = {}) =>
      dispatch(new Request(`http://${host}:8787/${code}`, { headers, redirect: "manual" })),
    setRole: async (role) => void (await setColumn("members", "role", role, memberId)),
    setPlan: async (plan) => void (await setColumn("workspaces", "plan", plan, id)),
  };
}
