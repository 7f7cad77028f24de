import type { DataCentre } from "../../../src/caching/data-centre.ts";
import { formatHostKey, hashChangeKey } from "../../../src/change-feed/change-key.ts";
import { ChangeCollection, type ChangeSource } from "../../../src/change-feed/collect-changes.ts";
import type { Change, FeedDocument } from "../../../src/change-feed/feed-document.ts";
import { UnknownLimit } from "../../../src/limits/unknown-limit.ts";
import type { ReadResult } from "../../../src/resolving/entry-resolver.ts";
import { HOST_KIND, type Host } from "../../../src/resolving/host-read.ts";
import { type ResolveContext, Resolver } from "../../../src/resolving/resolve.ts";
import type { Target } from "../../../src/resolving/target.ts";
import { buildPlainHost } from "../../support/plain-host.ts";

/**
 * Model of a deployment for the simulation. Only the storage and the clock are simulated; the rest is the
 * real code.
 */

const DAY_MS = 86_400_000;
const HOST_LIFE_MS = HOST_KIND.lifeMs;
/** Replication lag of the replicas that redirects read. */
const LAG_MS = 1_000;
/** Requests per second of a deployed isolate, and its mean lifetime. */
const ISOLATE_PER_SECOND = 1.5;
const ISOLATE_LIFE_MS = 3_600_000;
const DATABASE_GB = 9;
const GB_PER_MILLION_SCANS = 4.7;
const LINKS_PER_WORKSPACE = 100;
const NEVER = -1;

export interface Size {
  scansPerDay: number;
  links: number;
  /** Fraction of the links that change per day. */
  changedPerDay: number;
  /** Simulated duration. */
  durationMs: number;
}

/** Links, databases and changes of a deployment. */
export class Fleet {
  readonly size: Size;
  readonly hasFeed: boolean;
  readonly shards: number;
  readonly workspaces: number;
  readonly collection: ChangeCollection;
  readonly #logs: (Change & { atMs: number })[][];
  /** Times of changes, by the rank of the link. */
  readonly #commits = new Map<number, number[]>();
  nowMs = 1_800_000_000_000;
  polls = 0;

  constructor(size: Size, hasFeed: boolean) {
    this.size = size;
    this.hasFeed = hasFeed;
    this.shards = Math.ceil(((size.scansPerDay / 1e6) * GB_PER_MILLION_SCANS) / DATABASE_GB);
    this.workspaces = Math.ceil(size.links / LINKS_PER_WORKSPACE);
    this.#logs = Array.from({ length: this.shards }, () => []);
    const sources = [
      this.#buildSource("directory", []),
      ...this.#logs.map((log, shard) => this.#buildSource(String(shard), log)),
    ];
    this.collection = new ChangeCollection(
      () => sources,
      () => this.nowMs,
    );
  }

  #buildSource(name: string, log: readonly Change[]): ChangeSource {
    return {
      name,
      read: async (cursor, limit) => {
        this.polls += 1;
        return { last: log.length, changes: cursor === null ? [] : log.slice(cursor, cursor + limit) };
      },
    };
  }

  /**
   * Draws a link by popularity and returns its rank. The link of rank k has about 1 / (k ln(links)) of the
   * requests.
   */
  drawLink(): number {
    return Math.floor(Math.exp(Math.random() * Math.log(this.size.links + 1)));
  }

  /** Returns a link's fraction of the requests. */
  getShare(rank: number): number {
    return Math.log(1 + 1 / rank) / Math.log(this.size.links + 1);
  }

  /**
   * Returns a workspace's fraction of the requests: its most popular link, plus an estimate for its other
   * links.
   */
  getWorkspaceShare(workspace: number): number {
    const others = Math.log(LINKS_PER_WORKSPACE) / this.workspaces / Math.log(this.size.links + 1);
    return this.getShare(workspace + 1) + others;
  }

  /** Returns the workspace of a link and its host. */
  getHost(rank: number): { workspace: number; hostname: string } {
    const workspace = (rank - 1) % this.workspaces;
    return { workspace, hostname: `w${workspace}.test` };
  }

  buildHost(workspace: number): Host {
    const shard = workspace % this.shards;
    const workspaceId = `01980000-0000-7000-8000-${String(workspace).padStart(12, "0")}`;
    return buildPlainHost(workspaceId, shard);
  }

  /**
   * Changes a link. Half of the changes affect links in proportion to their visits, the others affect any
   * link.
   */
  change(): void {
    const isPopular = Math.random() < 0.5;
    const rank = isPopular ? this.drawLink() : 1 + Math.floor(Math.random() * this.size.links);
    const { workspaceId, shard } = this.buildHost(this.getHost(rank).workspace);
    const log = this.#logs[shard] as (Change & { atMs: number })[];
    log.push({ seq: log.length + 1, key: `${workspaceId}/${rank.toString(36)}`, atMs: this.nowMs });
    this.#commits.set(rank, [...(this.#commits.get(rank) ?? []), this.nowMs]);
  }

  /**
   * Returns the time since the first change that a version doesn't include, or 0. Version 1 includes no
   * changes.
   */
  getStaleness(rank: number, version: number): number {
    const commitMs = this.#commits.get(rank)?.[version - 1];
    return commitMs === undefined ? 0 : this.nowMs - commitMs;
  }

  /** Returns the version of a link after a given change of its shard. */
  getVersionUntil(rank: number, shard: number, seq: number): number {
    const untilMs = this.#logs[shard]?.[seq - 1]?.atMs ?? 0;
    return 1 + (this.#commits.get(rank)?.filter((atMs) => atMs <= untilMs).length ?? 0);
  }

  /**
   * Returns the version of a link on a replica of its shard, and the number of the replica's last change.
   * Reads the primary if the replica hasn't reached `cursor`.
   */
  read(rank: number, shard: number, cursor: number): { version: number; seq: number } {
    const log = this.#logs[shard] ?? [];
    const seen = (untilMs: number) => {
      let seq = log.length;
      while (seq > 0 && (log[seq - 1]?.atMs ?? 0) > untilMs) seq -= 1;
      return seq;
    };
    const nearSeq = seen(this.nowMs - LAG_MS);
    const isPrimary = nearSeq < cursor;
    const untilMs = isPrimary ? this.nowMs : this.nowMs - LAG_MS;
    const changes = this.#commits.get(rank)?.filter((atMs) => atMs <= untilMs).length ?? 0;
    return { version: 1 + changes, seq: isPrimary ? log.length : nearSeq };
  }
}

/** Counts of a data centre. */
export interface Counts {
  requests: number;
  fromMemory: number;
  fromCache: number;
  linkReads: number;
  hostReads: number;
  cacheLookUps: number;
  calls: number;
  changesTold: number;
  staleMaxMs: number;
}

/**
 * Data centre with its isolates. Its cache starts in a steady state: at the first lookup of a key, an entry
 * exists with the probability that earlier visitors would have left one.
 */
export class FleetDataCentre implements DataCentre {
  readonly fleet: Fleet;
  readonly perSecond: number;
  readonly counts: Counts = {
    ...{ requests: 0, fromMemory: 0, fromCache: 0, linkReads: 0, hostReads: 0 },
    ...{ cacheLookUps: 0, calls: 0, changesTold: 0, staleMaxMs: 0 },
  };
  readonly #entries = new Map<string, { value: unknown; untilMs: number }>();
  readonly #isolates: { resolver: Resolver; endsAtMs: number }[];
  /** Rank of the link that the current request is for. */
  #rank = 1;

  constructor(fleet: Fleet, perSecond: number) {
    this.fleet = fleet;
    this.perSecond = perSecond;
    const isolates = Math.max(1, Math.round(perSecond / ISOLATE_PER_SECOND));
    this.#isolates = Array.from({ length: isolates }, () => this.#openIsolate());
  }

  #openIsolate() {
    return {
      resolver: new Resolver(),
      endsAtMs: this.fleet.nowMs - ISOLATE_LIFE_MS * Math.log(1 - Math.random()),
    };
  }

  async read<Value>(key: string): Promise<Value | undefined> {
    this.counts.cacheLookUps += 1;
    const entry = this.#entries.get(key) ?? this.#findFormer(key);
    return entry === undefined || this.fleet.nowMs >= entry.untilMs ? undefined : (entry.value as Value);
  }

  async write(key: string, value: unknown, maxAgeMs: number): Promise<void> {
    this.#entries.set(key, { value, untilMs: this.fleet.nowMs + maxAgeMs });
  }

  async delete(key: string): Promise<void> {
    this.#entries.set(key, { value: undefined, untilMs: NEVER });
  }

  /**
   * Returns the entry that a visitor before the simulation would have left, if any. The decision is made once
   * per key.
   */
  #findFormer(key: string): { value: unknown; untilMs: number } | undefined {
    const isHost = key.startsWith("directory/");
    const state = (this.#entries.get("feed")?.value as FeedDocument | undefined)?.databases;
    if (state === undefined || !(isHost || /^\d/.test(key))) return undefined;
    const { workspace, hostname } = this.fleet.getHost(this.#rank);
    const host = this.fleet.buildHost(workspace);
    const database = isHost ? "directory" : String(host.shard);
    const from = state[database]?.from;
    if (from === undefined) return undefined;
    const share = isHost ? this.fleet.getWorkspaceShare(workspace) : this.fleet.getShare(this.#rank);
    const lifeMs = isHost ? HOST_LIFE_MS : DAY_MS * (1 - this.fleet.size.changedPerDay / 2);
    const visits = (lifeMs / 1_000) * this.perSecond * share;
    const isThere = Math.random() < visits / (1 + visits);
    const hashes = [hashChangeKey(isHost ? formatHostKey(hostname) : key)];
    const entry = {
      value: {
        value: isHost
          ? host
          : buildTarget(this.#rank, this.fleet.getVersionUntil(this.#rank, host.shard, from)),
        readAtMs: this.fleet.nowMs - Math.random() * lifeMs,
        stamp: { database, seq: from, hashes },
      },
      untilMs: isThere ? Number.MAX_VALUE : NEVER,
    };
    this.#entries.set(key, entry);
    return entry;
  }

  /** Serves a request in one of the isolates. */
  async visit(): Promise<void> {
    const { fleet, counts } = this;
    const { nowMs } = fleet;
    const rank = fleet.drawLink();
    this.#rank = rank;
    const index = Math.floor(Math.random() * this.#isolates.length);
    if (nowMs >= (this.#isolates[index]?.endsAtMs ?? 0)) this.#isolates[index] = this.#openIsolate();
    const { resolver } = this.#isolates[index] as { resolver: Resolver };
    const work: Promise<unknown>[] = [];
    const reads = counts.linkReads + counts.hostReads;
    const { hostname } = fleet.getHost(rank);
    const resolved = resolver.resolve(hostname, rank.toString(36), nowMs, () =>
      this.#buildContext(rank, work),
    );
    const target = await resolved;
    counts.requests += 1;
    if (!(resolved instanceof Promise)) counts.fromMemory += 1;
    else if (counts.linkReads + counts.hostReads === reads) counts.fromCache += 1;
    for (const promise of work) await promise;
    counts.staleMaxMs = Math.max(counts.staleMaxMs, fleet.getStaleness(rank, target?.updatedAt ?? 1));
  }

  #buildContext(rank: number, work: Promise<unknown>[]): ResolveContext {
    const { fleet, counts } = this;
    return {
      nowMs: fleet.nowMs,
      now: () => fleet.nowMs,
      dataCentre: this,
      isShortName: () => true,
      waitUntil: (promise) => work.push(promise),
      getUnknownLimit: () =>
        new UnknownLimit({ limit: async () => ({ success: true }) }, new Headers(), fleet.nowMs),
      pollCollector: async (cursors) => {
        if (!fleet.hasFeed) return {};
        counts.calls += 1;
        const reports = await fleet.collection.since(cursors);
        for (const { changes } of Object.values(reports)) counts.changesTold += changes?.length ?? 0;
        return reports;
      },
      readHost: async (hostname): Promise<ReadResult<Host>> => {
        counts.hostReads += 1;
        const value = fleet.buildHost(fleet.getHost(rank).workspace);
        return { value, seq: 0, hashes: [hashChangeKey(formatHostKey(hostname))] };
      },
      readTarget: async (host, codeKey, _, cursor): Promise<ReadResult<Target>> => {
        counts.linkReads += 1;
        const { version, seq } = fleet.read(rank, host.shard, cursor);
        return { value: buildTarget(rank, version), seq, hashes: [hashChangeKey(host.prefix + codeKey)] };
      },
    };
  }
}

function buildTarget(rank: number, version: number): Target {
  return {
    ...{ id: String(rank), workspaceId: "w", shortCode: "", enabled: true, expiresAt: null, bannedAt: null },
    ...{
      address: "https://example.com/",
      routingRules: [],
      ruleAddresses: [],
      options: null,
      guards: null,
      updatedAt: version,
    },
  };
}
