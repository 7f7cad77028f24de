import { openDataCentre } from "../caching/data-centre.ts";
import { DIRECTORY, formatHostKey } from "../change-feed/change-key.ts";
import type { PollCollector } from "../change-feed/feed-refresh.ts";
import { FeedWatch } from "../change-feed/feed-watch.ts";
import { type DatabaseBindings, getShard } from "../db/shards.ts";
import type { Settings } from "../env.ts";
import { toCodeKey } from "../routing/short-code.ts";
import { isShortName } from "../tenant/own-hosts.ts";
import { EntryMemory } from "./entry-memory.ts";
import {
  EntryResolver,
  type EntrySource,
  type LookUpContext,
  type ReadResult,
  WorkspaceMovedError,
} from "./entry-resolver.ts";
import { HOST_KIND, type Host, readHost } from "./host-read.ts";
import { pickTarget, SUSPENDED, type Target, type TargetEntry } from "./target.ts";
import { readTarget, TARGET_KIND } from "./target-read.ts";

/**
 * Maximum heap sizes of an isolate's entries, out of 128 MB per isolate. Keys that don't exist have separate
 * bounds, so that requests for random codes and hosts can't evict existing entries.
 */
const LINKS_BYTES_MAX = 13_000_000;
const HOSTS_BYTES_MAX = 1_000_000;
const UNKNOWN_LINKS_BYTES_MAX = 750_000;
const UNKNOWN_HOSTS_BYTES_MAX = 250_000;

/** Context that resolving a short URL needs. */
export interface ResolveContext extends LookUpContext {
  readHost(hostname: string, cursor: number, isPrimaryOnly: boolean): Promise<ReadResult<Host>>;
  readTarget(
    host: Host,
    codeKey: string,
    known: TargetEntry | null,
    cursor: number,
  ): Promise<ReadResult<TargetEntry>>;
}

/**
 * Resolves short URLs in one isolate in two steps: the host from the directory, then the link from a shard.
 * Each comes from the isolate's memory, otherwise from the data centre's cache, otherwise from the database
 * or a replica.
 */
export class Resolver {
  readonly watch: FeedWatch;
  readonly hosts = new EntryMemory(HOST_KIND, HOSTS_BYTES_MAX, UNKNOWN_HOSTS_BYTES_MAX);
  readonly links = new EntryMemory(TARGET_KIND, LINKS_BYTES_MAX, UNKNOWN_LINKS_BYTES_MAX);
  readonly #hostEntries: EntryResolver<Host>;
  readonly #linkEntries: EntryResolver<TargetEntry>;

  constructor() {
    this.watch = new FeedWatch((changes) => {
      for (const [key, writtenAtMs] of changes) this.links.expire(key, writtenAtMs);
    });
    this.#hostEntries = new EntryResolver(HOST_KIND, this.hosts, this.watch);
    this.#linkEntries = new EntryResolver(TARGET_KIND, this.links, this.watch);
  }

  /**
   * Returns the target of a short URL, or null if there is none. The link with the path as an alias comes
   * first, then the link with the path as its short code. Suspended workspaces have a target for every path. Calls `getContext` only if memory isn't enough.
   * Throws the same errors as {@link EntryResolver.find}.
   */
  resolve(
    hostname: string,
    path: string,
    nowMs: number,
    getContext: () => ResolveContext,
  ): Target | null | Promise<Target | null> {
    const host = this.#recallHost(hostname, nowMs, getContext);
    if (host === undefined) return this.#resolveHost(getContext(), hostname, path);
    if (host.value === null) return null;
    if (host.value.isSuspended) return SUSPENDED;
    const codeKey = toCodeKey(path);
    const link = this.links.recall(host.value.prefix + codeKey, this.watch.view, nowMs);
    if (link === undefined) return this.#resolveLink(getContext(), hostname, path, host.value);
    if (nowMs >= link.refreshAtMs) {
      const context = getContext();
      this.#linkEntries.refresh(context, buildLinkSource(context, host.value, codeKey));
    }
    return link.value && pickTarget(link.value, path);
  }

  /** Returns a host, or null if no workspace has it. Throws the same errors as {@link EntryResolver.find}. */
  findHost(
    hostname: string,
    nowMs: number,
    getContext: () => ResolveContext,
  ): Host | null | Promise<Host | null> {
    const host = this.#recallHost(hostname, nowMs, getContext);
    if (host !== undefined) return host.value;
    const context = getContext();
    return this.#hostEntries.find(context, this.#buildHostSource(context, hostname));
  }

  clear(): void {
    this.hosts.clear();
    this.links.clear();
    this.watch.clear();
  }

  /**
   * Counts the request for the change feed, and returns the host if it is fresh in memory. Starts a
   * background look-up shortly before the host expires.
   */
  #recallHost(hostname: string, nowMs: number, getContext: () => ResolveContext) {
    const { watch, hosts } = this;
    if (watch.count(nowMs)) {
      const context = getContext();
      context.waitUntil(watch.look(context));
    }
    const host = hosts.recall(hostname, watch.view, nowMs);
    if (host !== undefined && nowMs >= host.refreshAtMs) {
      const context = getContext();
      this.#hostEntries.refresh(context, this.#buildHostSource(context, hostname));
    }
    return host;
  }

  async #resolveHost(context: ResolveContext, hostname: string, path: string): Promise<Target | null> {
    const host = await this.#hostEntries.find(context, this.#buildHostSource(context, hostname));
    return host && this.#resolveLink(context, hostname, path, host);
  }

  async #resolveLink(
    context: ResolveContext,
    hostname: string,
    path: string,
    host: Host,
  ): Promise<Target | null> {
    if (host.isSuspended) return SUSPENDED;
    const { hosts, watch } = this;
    const codeKey = toCodeKey(path);
    const find = (host: Host) => this.#linkEntries.find(context, buildLinkSource(context, host, codeKey));
    try {
      const entry = await find(host);
      if (entry !== null) return pickTarget(entry, path);
      if (hosts.isCurrent(hostname, watch.view, context.now())) return null;
    } catch (error) {
      if (!(error instanceof WorkspaceMovedError)) throw error;
    }
    const moved = await this.#rereadHost(context, hostname);
    // The path is unknown, or the workspace is being erased and no longer on any shard.
    if (moved === null || moved.prefix === host.prefix) return null;
    if (moved.isSuspended) return SUSPENDED;
    const entry = await find(moved);
    return entry && pickTarget(entry, path);
  }

  /** Reads a host from the primary, because its entry may name a shard that the workspace has left. */
  async #rereadHost(context: ResolveContext, hostname: string): Promise<Host | null> {
    const { readHost, now } = context;
    const readAtMs = now();
    const { value } = await readHost(hostname, 0, true);
    this.hosts.remember(hostname, { value, readAtMs, stamp: null }, this.watch.view, now(), "cache");
    return value;
  }

  #buildHostSource({ readHost }: ResolveContext, hostname: string): EntrySource<Host> {
    const read = (_: Host | null, cursor: number) => readHost(hostname, cursor, false);
    return { key: hostname, storeKey: formatHostKey(hostname), database: DIRECTORY, read };
  }
}

function buildLinkSource(
  { readTarget }: ResolveContext,
  host: Host,
  codeKey: string,
): EntrySource<TargetEntry> {
  const key = host.prefix + codeKey;
  return {
    key,
    storeKey: key,
    database: String(host.shard),
    read: (known, cursor) => readTarget(host, codeKey, known, cursor),
  };
}

/** Bindings that redirects use. */
export interface RedirectBindings extends DatabaseBindings {
  CHANGE_COLLECTOR: { getByName(name: string): { since: PollCollector } };
}

/** Name of the deployment's only change collector. */
const COLLECTOR = "collector";

/** Builds the context of a request from the bindings. */
export function buildContext(
  env: RedirectBindings,
  settings: Settings,
  request: Pick<LookUpContext, "nowMs" | "getUnknownLimit" | "waitUntil">,
): ResolveContext {
  return {
    nowMs: request.nowMs,
    getUnknownLimit: request.getUnknownLimit,
    waitUntil: request.waitUntil,
    now: Date.now,
    isShortName: (hostname) => isShortName(settings, hostname),
    dataCentre: openDataCentre(settings),
    pollCollector: (cursors) => env.CHANGE_COLLECTOR.getByName(COLLECTOR).since(cursors),
    readHost: (hostname, cursor, isPrimaryOnly) =>
      readHost(env.DIRECTORY, settings, hostname, cursor, isPrimaryOnly),
    readTarget: (host, codeKey, known, cursor) =>
      readTarget(getShard(env, host.shard), settings, host, codeKey, known, cursor),
  };
}

/** Resolver of this isolate. */
export const resolver = new Resolver();

/** Clears this isolate's memory. Tests use it to reach the layers below. */
export function forgetAll(): void {
  resolver.clear();
}
