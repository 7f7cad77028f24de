import { formatCacheUrl } from "../../src/caching/data-centre.ts";
import { formatLinkPrefix } from "../../src/change-feed/change-key.ts";
import { mapDatabases } from "../../src/db/shards.ts";
import { getSettings } from "../../src/env.ts";
import { forgetAll, resolver } from "../../src/resolving/resolve.ts";
import { watchDatabases } from "./counting.ts";
import { send, type TestWorkspace, workerEnv } from "./harness.ts";
import { buildPlainHost } from "./plain-host.ts";

/** Stubs and helpers for tests of redirects. */

/** Requests a path of a workspace's short host with the given bindings. */
export function visitWithEnv(
  workspace: TestWorkspace,
  path: string,
  env: Env,
  init: RequestInit = {},
): Promise<Response> {
  return send(buildVisit(workspace, path, init), env);
}

/** Builds a request for a path of a workspace's short host. */
export function buildVisit(workspace: TestWorkspace, path: string, init: RequestInit = {}): Request {
  return new Request(`http://${workspace.hostname}:8787${path}`, { redirect: "manual", ...init });
}

/** Returns an `env` whose database is down. */
export function buildEnvWithoutDatabase(): Env {
  const fail = () => {
    throw new Error("D1 is down");
  };
  return mapDatabases(
    workerEnv,
    () => ({ prepare: fail, batch: fail, withSession: fail }) as unknown as D1Database,
  );
}

/** Returns an `env` in which `around` performs every round trip to D1. */
export function buildEnvAround(around: (makeTrip: () => Promise<unknown>) => Promise<unknown>): Env {
  return watchDatabases(workerEnv, (makeTrip) => around(async () => makeTrip()));
}

/**
 * Returns an `env` whose database responds once `release` is called. `trips` returns the started round trips.
 */
export function buildEnvOnHold(): { env: Env; trips: () => number; release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  let trips = 0;
  const env = buildEnvAround(async (makeTrip) => {
    trips += 1;
    await promise;
    return makeTrip();
  });
  return { env, trips: () => trips, release: resolve };
}

function toUrl({ id, shardNumber }: TestWorkspace, code: string): string {
  const key = formatLinkPrefix(shardNumber, id) + code.toLowerCase();
  return formatCacheUrl(getSettings(workerEnv), key);
}

/** Caches a workspace's host in this isolate, as is usual in practice. */
export function warmHost({ id: workspaceId, hostname, shardNumber: shard }: TestWorkspace): void {
  const value = buildPlainHost(workspaceId, shard);
  const nowMs = Date.now();
  const { hosts, watch } = resolver;
  hosts.remember(hostname, { value, readAtMs: nowMs, stamp: null }, watch.view, nowMs, "cache");
}

/** Empties the isolate's memory, except for the host of a workspace. */
export function forgetLinks(workspace: TestWorkspace): void {
  forgetAll();
  warmHost(workspace);
}

/** Removes the change feed of the data centre. */
export async function forgetFeed(): Promise<void> {
  for (const key of ["feed", "feed-lease", "local-changes"]) {
    await caches.default.delete(formatCacheUrl(getSettings(workerEnv), key));
  }
}

/** Removes a code from the isolate's memory and the data centre's cache. Only the host stays cached. */
export async function evict(workspace: TestWorkspace, code: string): Promise<void> {
  forgetLinks(workspace);
  await caches.default.delete(toUrl(workspace, code));
}

/** Empties the isolate's memory, and changes the age of a code's cache entry. */
export async function age(workspace: TestWorkspace, code: string, ageMs: number): Promise<void> {
  forgetLinks(workspace);
  const url = toUrl(workspace, code);
  const cached = await (await caches.default.match(url))?.json<object>();
  if (cached === undefined) throw new Error(`${code} is not cached`);
  const old = { ...cached, readAtMs: Date.now() - ageMs, stamp: null };
  await caches.default.put(url, Response.json(old, { headers: { "Cache-Control": "max-age=60" } }));
}

/** Caches a code as unknown in the data centre. */
export async function cacheUnknown(workspace: TestWorkspace, code: string): Promise<void> {
  const entry = { value: null, readAtMs: Date.now(), stamp: null };
  const headers = { "Cache-Control": "max-age=60" };
  await caches.default.put(toUrl(workspace, code), Response.json(entry, { headers }));
}

/** Returns true if the data centre's cache has an entry for a code. */
export async function isCached(workspace: TestWorkspace, code: string): Promise<boolean> {
  return (await caches.default.match(toUrl(workspace, code))) !== undefined;
}

/**
 * Changes a link's destination as another data centre does, without changing this data centre's memory and
 * cache.
 */
export async function changeElsewhere(
  { shard }: TestWorkspace,
  linkId: string,
  destination: string,
): Promise<void> {
  await shard
    .prepare("UPDATE links SET destination = ?, updated_at = max(updated_at + 1, ?) WHERE id = ?")
    .bind(destination, Date.now(), linkId)
    .run();
}
