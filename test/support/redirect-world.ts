import type { DataCentre } from "../../src/caching/data-centre.ts";
import { formatHostKey, hashChangeKey } from "../../src/change-feed/change-key.ts";
import { ChangeCollection, type ChangeSource } from "../../src/change-feed/collect-changes.ts";
import type { Change } from "../../src/change-feed/feed-document.ts";
import { UnknownLimit } from "../../src/limits/unknown-limit.ts";
import { WorkspaceMovedError } from "../../src/resolving/entry-resolver.ts";
import type { Host } from "../../src/resolving/host-read.ts";
import { type ResolveContext, Resolver } from "../../src/resolving/resolve.ts";
import { listTargets, type Target, type TargetEntry } from "../../src/resolving/target.ts";
import { buildPlainHost } from "./plain-host.ts";

/** Simulated deployment in memory with its own clock, for tests of when redirects see changes. */

export const HOSTNAME = "go.acme.test";
export const WORKSPACE_ID = "w";

/** Number of a link's state, from the time of its commit. Version 0 means that there is no link. */
interface Commit {
  atMs: number;
  version: number;
}

/** Database that stores the commit time of each change, so that a replica can lag behind. */
class WorldDatabase {
  readonly changes: (Change & { atMs: number })[] = [];
  readonly name: string;
  isDown = false;

  constructor(name: string) {
    this.name = name;
  }

  add(key: string, atMs: number): void {
    this.changes.push({ seq: this.changes.length + 1, key, atMs });
  }

  /** Returns the number of the last change committed before or at a time. */
  getSeq(atMs: number): number {
    return this.changes.findLast((change) => change.atMs <= atMs)?.seq ?? 0;
  }

  toSource(countPoll: () => void): ChangeSource {
    return {
      name: this.name,
      read: async (cursor, limit) => {
        countPoll();
        if (this.isDown) throw new Error("the database is down");
        const changes = this.changes.filter(({ seq }) => cursor !== null && seq > cursor).slice(0, limit);
        return { last: this.changes.length, changes };
      },
    };
  }
}

/** Data centre whose cache can lose entries, fail to delete, and store late. */
export class WorldDataCentre implements DataCentre {
  readonly entries = new Map<string, { text: string; untilMs: number }>();
  failsToDelete = false;
  /** Writes wait here until they are released, if set. */
  held: (() => void)[] | undefined;
  /** Lag of the nearest replica. */
  lagMs = 0;
  readonly world: World;

  constructor(world: World) {
    this.world = world;
  }

  async read<Value>(key: string): Promise<Value | undefined> {
    const entry = this.entries.get(key);
    return entry === undefined || this.world.nowMs >= entry.untilMs ? undefined : JSON.parse(entry.text);
  }

  async write(key: string, value: unknown, maxAgeMs: number): Promise<void> {
    const text = JSON.stringify(value);
    const untilMs = this.world.nowMs + maxAgeMs;
    const land = () => void this.entries.set(key, { text, untilMs });
    if (this.held === undefined || key.startsWith("feed")) land();
    else this.held.push(land);
  }

  async delete(key: string): Promise<void> {
    if (this.failsToDelete) throw new Error("the cache is down");
    this.entries.delete(key);
  }

  /** Releases the held writes. */
  land(): void {
    for (const land of this.held ?? []) land();
    if (this.held !== undefined) this.held = [];
  }
}

/** Simulated deployment with two shards, one host and some links. */
export class World {
  nowMs = 1_800_000_000_000;
  readonly directory = new WorldDatabase("directory");
  readonly shards = [new WorldDatabase("0"), new WorldDatabase("1")];
  /** Shards of the workspace, with the time of each move. */
  readonly #places: { atMs: number; shard: number }[] = [{ atMs: 0, shard: 0 }];
  readonly #commits = new Map<string, Commit[]>();
  readonly reads = { hosts: 0, links: 0, polls: 0, calls: 0 };
  isCollectorDown = false;
  /** Awaited by every read of a link between its snapshot and its response. */
  hold: Promise<void> | undefined;
  #collection = this.#openCollection();

  #openCollection(): ChangeCollection {
    const count = () => {
      this.reads.polls += 1;
    };
    const sources = [this.directory, ...this.shards].map((database) => database.toSource(count));
    return new ChangeCollection(
      () => sources,
      () => this.nowMs,
    );
  }

  /** Evicts the collector from memory. */
  restartCollector(): void {
    this.#collection = this.#openCollection();
  }

  get shard(): number {
    return this.#places.at(-1)?.shard ?? 0;
  }

  /** Commits a new state of a link. */
  change(codeKey: string, version: number): void {
    const database = this.shards[this.shard] as WorldDatabase;
    database.add(`${WORKSPACE_ID}/${codeKey}`, this.nowMs);
    this.#commits.set(codeKey, [...(this.#commits.get(codeKey) ?? []), { atMs: this.nowMs, version }]);
  }

  /** Moves the workspace to another shard. */
  move(shard: number): void {
    this.#places.push({ atMs: this.nowMs, shard });
    this.directory.add(HOSTNAME, this.nowMs);
  }

  /** Returns the version of a link that was current at a time. */
  getVersion(codeKey: string, atMs: number): number {
    return this.#commits.get(codeKey)?.findLast((commit) => commit.atMs <= atMs)?.version ?? 0;
  }

  /** Builds the context of a request in a data centre. Its background work is added to `work`. */
  buildContext(dataCentre: WorldDataCentre, work: Promise<unknown>[]): ResolveContext {
    const limiter = { limit: async () => ({ success: true }) };
    return {
      nowMs: this.nowMs,
      now: () => this.nowMs,
      dataCentre,
      isShortName: () => false,
      waitUntil: (promise) => work.push(promise),
      getUnknownLimit: () => new UnknownLimit(limiter, new Headers(), this.nowMs),
      pollCollector: async (cursors) => {
        this.reads.calls += 1;
        if (this.isCollectorDown) throw new Error("the collector is down");
        return structuredClone(await this.#collection.since(cursors));
      },
      readHost: async (hostname, cursor, isPrimaryOnly) => {
        this.reads.hosts += 1;
        if (this.directory.isDown) throw new Error("the directory is down");
        const atMs = this.#pickTime(this.directory, dataCentre, isPrimaryOnly ? Number.MAX_VALUE : cursor);
        const shard = this.#places.findLast((place) => place.atMs <= atMs)?.shard ?? 0;
        const value = buildPlainHost(WORKSPACE_ID, shard);
        return { value, seq: this.directory.getSeq(atMs), hashes: [hashChangeKey(formatHostKey(hostname))] };
      },
      readTarget: (host, codeKey, known, cursor) =>
        this.#readTarget(dataCentre, host, codeKey, known, cursor),
    };
  }

  /**
   * Time of the state that a read sees: the replica's time, or now if the replica lacks a required change.
   */
  #pickTime(database: WorldDatabase, { lagMs }: WorldDataCentre, cursor: number): number {
    const nearMs = this.nowMs - lagMs;
    return database.getSeq(nearMs) >= cursor ? nearMs : this.nowMs;
  }

  async #readTarget(
    dataCentre: WorldDataCentre,
    host: Host,
    codeKey: string,
    known: TargetEntry | null,
    cursor: number,
  ) {
    this.reads.links += 1;
    const database = this.shards[host.shard] as WorldDatabase;
    if (database.isDown) throw new Error("the shard is down");
    if (host.shard !== this.shard) throw new WorkspaceMovedError();
    let atMs = this.#pickTime(database, dataCentre, cursor);
    const nearVersion = this.getVersion(codeKey, atMs);
    if (nearVersion === 0 || nearVersion < ((known && listTargets(known)[0]?.updatedAt) ?? 0))
      atMs = this.nowMs;
    const version = this.getVersion(codeKey, atMs);
    const seq = database.getSeq(atMs);
    await this.hold;
    const value = version === 0 ? null : buildTarget(codeKey, version);
    return { value, seq, hashes: [hashChangeKey(host.prefix + codeKey)] };
  }
}

function buildTarget(codeKey: string, version: number): Target {
  return {
    id: codeKey,
    workspaceId: WORKSPACE_ID,
    shortCode: codeKey,
    enabled: true,
    expiresAt: null,
    bannedAt: null,
    address: `https://example.com/${version}`,
    routingRules: [],
    ruleAddresses: [],
    options: null,
    guards: null,
    updatedAt: version,
  };
}

/**
 * Visits a link in an isolate of a data centre, and finishes its background work. Returns the version that
 * the visit saw.
 */
export async function visitWorld(
  world: World,
  dataCentre: WorldDataCentre,
  isolate: Resolver,
  codeKey: string,
): Promise<number> {
  const work: Promise<unknown>[] = [];
  const getContext = () => world.buildContext(dataCentre, work);
  const target = await isolate.resolve(HOSTNAME, codeKey, world.nowMs, getContext);
  for (const promise of work) await promise;
  return target?.updatedAt ?? 0;
}

/** Returns a new isolate. */
export function openIsolate(): Resolver {
  return new Resolver();
}
