import { buildPrivateFileKey, buildPublicFileKey, WORKSPACE_KEY } from "../assets/storage.ts";
import { isWithinDomain } from "../core/hosts.ts";
import { isUuid } from "../core/id.ts";
import { getShard, listShards } from "../db/shards.ts";
import { parseDomainName } from "../domains/hostname.ts";
import type { Settings } from "../env.ts";
import { MOVED_TABLES, type MovedTable } from "../moves/moved-tables.ts";
import { ShardRun } from "../moves/shard-run.ts";
import { prepareDeletion } from "../moves/sync-rows.ts";
import { type Position, walkRows } from "../moves/walk-rows.ts";
import { formatImportName, isImportName, readDeletionTime } from "../tenant/deleted-name.ts";
import { NAMES_MAX } from "../tenant/held-names.ts";
import { findDomainProblem, getShortLabel, isWorkspaceSlug } from "../tenant/own-hosts.ts";
import { PLAN_NAMES, type PlanName } from "../tenant/plans.ts";
import { HELD_MS, isReservedLabel } from "../tenant/reserved-names.ts";
import { endPause, preparePause, removeTransit } from "../tenant/transits.ts";
import { ArchiveError, type FileEntry, type RowsEntry } from "./archive.ts";
import {
  type BucketName,
  type Installation,
  listFiles,
  type SecretKeys,
  type StoredMetadata,
  type WorkspaceManifest,
} from "./export-workspace.ts";
import { requireOwnRows, requireValidLines } from "./foreign-rows.ts";
import {
  changeLine,
  insertLines,
  listColumns,
  parseLine,
  type RowValues,
  renumberLine,
} from "./workspace-rows.ts";
import { unpackSecrets } from "./workspace-secrets.ts";
import { DIRECTORY_TABLES, HIDDEN_TABLES, OPENING_TABLES, WORKSPACE_TABLE } from "./workspace-tables.ts";

/** Number of rows per transaction, so that requests to a running service wait only briefly. */
const STEP_ROWS = 200;

/** Tables with names that no two workspaces can have. */
const NAMED_TABLES: ReadonlySet<string> = new Set(["domain_claims", "domains", "bio_slugs"]);

/** Columns with host names. Hosts below the source's `SHORT_DOMAIN` become hosts below the target's. */
const HOST_COLUMNS: Record<string, string> = {
  domains: "hostname",
  domain_claims: "hostname",
  held_names: "name",
};

/** Thrown if a workspace can't be imported. Nothing of it remains on the target. */
export class ImportError extends ArchiveError {}

export interface ImportOptions {
  /** Shard for the workspace's data. */
  shard: number;
  /** Settings of the target. */
  settings: Settings;
  keys: SecretKeys;
  resumesWebhooks: boolean;
  /** Called with the name of each table that is being written, and with `files`. */
  onTable?: (name: string) => void;
}

/** Endpoint whose secret did not travel. */
export interface NewSecret {
  webhook_id: string;
  url: string;
  /** New signing secret, or null if the target's key is unknown. */
  secret: string | null;
}

/**
 * Throws {@link ImportError} unless both installations have the same migrations. Rows of another version can't be imported,
 * because only a migration of the whole database changes them.
 */
export function requireSameVersion(
  archived: Record<string, readonly string[]>,
  own: Record<string, readonly string[]>,
): void {
  const lacks = (one: typeof own, other: typeof own) =>
    Object.keys(one).some((name) => one[name]?.some((migration) => !other[name]?.includes(migration)));
  if (lacks(archived, own)) {
    throw new ImportError(
      "the archive was written by a newer version of Signpost; update this installation first",
    );
  }
  if (lacks(own, archived)) {
    throw new ImportError(
      "the archive was written by an earlier version of Signpost; update that installation and export again, or import the archive with the earlier version",
    );
  }
}

/** Result of an import. */
export interface Imported {
  counts: Record<string, number>;
  newSecrets: NewSecret[];
  webhooksPaused: boolean;
}

type Entry = RowsEntry | FileEntry;

/** Import of one archive. `read` returns its entries from the start. */
export class WorkspaceImport {
  readonly #target: Installation;
  readonly #manifest: WorkspaceManifest;
  readonly #read: () => AsyncIterable<Entry>;
  readonly #options: ImportOptions;
  readonly #id: string;
  readonly #counts: Record<string, number> = {};
  readonly #newSecrets: NewSecret[] = [];
  /** Statements that make the workspace's hosts, keys and pages work. */
  readonly #opening: D1PreparedStatement[] = [];
  readonly #hosts: string[] = [];
  /** A later import replaces an earlier one. */
  readonly #epoch = Date.now();
  #number = 0;

  constructor(
    target: Installation,
    manifest: WorkspaceManifest,
    read: () => AsyncIterable<Entry>,
    options: ImportOptions,
  ) {
    this.#target = target;
    this.#manifest = manifest;
    this.#read = read;
    this.#options = options;
    this.#id = manifest.workspace.id;
  }

  /**
   * Imports the workspace. Until everything is written, the service hides it. If the process is killed, the next import
   * of the workspace deletes what was written and starts again. Throws {@link ImportError} if the target has the
   * workspace, its slug, or one of its hosts or bio pages.
   */
  async run(): Promise<Imported> {
    this.#requireValidWorkspace();
    await this.#requireRightPassphrase();
    await this.#requireFreeNames();
    const unfinished = await this.#findUnfinished();
    if (unfinished !== null) await this.#remove(unfinished);
    try {
      await this.#write();
    } catch (error) {
      const written = await this.#findUnfinished();
      if (written !== null) await this.#remove(written);
      throw isRejectedRow(error) ? new ArchiveError(`the archive has invalid rows: ${error.message}`) : error;
    }
    const webhooksPaused = !this.#options.resumesWebhooks && (this.#counts.webhooks ?? 0) > 0;
    if (!webhooksPaused) await endPause(this.#shard.d1, this.#id);
    return { counts: this.#counts, newSecrets: this.#newSecrets, webhooksPaused };
  }

  get #shard(): ShardRun {
    return this.#openShard(this.#options.shard, this.#number);
  }

  #openShard(shard: number, number: number): ShardRun {
    return new ShardRun(getShard(this.#target, shard), { id: this.#id, number }, this.#epoch);
  }

  /** Statements contain the id, and hosts the slug. */
  #requireValidWorkspace(): void {
    const { id, slug } = this.#manifest.workspace;
    if (!isUuid(id) || !isWorkspaceSlug(slug)) {
      throw new ArchiveError("the workspace of the archive has an invalid id or slug");
    }
  }

  async #requireRightPassphrase(): Promise<void> {
    const { passphraseCheck } = this.#manifest;
    const { passphrase } = this.#options.keys;
    if (passphrase === null || passphraseCheck === null || (await passphrase.isRight(passphraseCheck)))
      return;
    throw new ImportError("SIGNPOST_EXPORT_KEY: is not the passphrase of this archive");
  }

  /** Returns what an import that was killed has left. */
  async #findUnfinished(): Promise<{ number: number; shard: number } | null> {
    return this.#target.DIRECTORY.prepare("SELECT number, shard FROM workspaces WHERE id = ?1 AND slug = ?2")
      .bind(this.#id, formatImportName(this.#manifest.workspace.slug))
      .first<{ number: number; shard: number }>();
  }

  async #requireFreeNames(): Promise<void> {
    const { DIRECTORY } = this.#target;
    const { id, slug } = this.#manifest.workspace;
    const { results: existing } = await DIRECTORY.prepare(
      "SELECT slug, id = ?1 AS isSame FROM workspaces WHERE id = ?1 OR slug = ?2 ORDER BY isSame DESC",
    )
      .bind(id, slug)
      .all<{ slug: string; isSame: number }>();
    for (const found of existing) {
      if (!isImportName(found.slug)) throw new ImportError(explainExisting(found, slug));
    }
    const names = (await this.#listNames()).map((name) => {
      const label = getShortLabel(this.#options.settings, name);
      return { name, label, isReserved: isReservedLabel(label ?? "") };
    });
    const { results } = await DIRECTORY.prepare(
      `SELECT name, (SELECT w.slug FROM workspaces w WHERE w.id = owner) AS owner, held FROM (
         SELECT value ->> 'name' AS name,
                coalesce((SELECT workspace_id FROM domains WHERE hostname = value ->> 'name'),
                         (SELECT w.id FROM workspaces w WHERE w.slug = value ->> 'label' AND w.id <> ?2),
                         (SELECT workspace_id FROM bio_slugs WHERE '/' || slug = value ->> 'name')) AS owner,
                EXISTS (SELECT 1 FROM held_names WHERE name = value ->> 'name' AND rule <> 'allowed' AND workspace_id IS NOT ?2)
                  OR (value ->> 'isReserved' AND NOT EXISTS (SELECT 1 FROM held_names WHERE name = value ->> 'name')) AS held
           FROM json_each(?1)) WHERE owner IS NOT NULL OR held`,
    )
      .bind(JSON.stringify(names), id)
      .all<{ name: string; owner: string | null; held: number }>();
    if (results.length === 0) return;
    const taken = results.map(
      ({ name, owner }) =>
        `  ${name} (${owner === null ? "reserved, or kept for the workspace that used it last" : `of workspace ${owner}`})`,
    );
    throw new ImportError(
      `nothing was imported, because hosts or bio pages of workspace ${slug} are taken:\n${taken.join("\n")}\n` +
        "Remove them with `domain remove` or in the dashboard, or release kept names with `name release`.",
    );
  }

  /**
   * Returns the workspace's hosts on the target, and the slugs of its bio pages after a slash. Keeps the hosts. Claims
   * of hosts below `SHORT_DOMAIN` count as hosts, because they need no proof.
   */
  async #listNames(): Promise<string[]> {
    const names: string[] = [];
    for await (const entry of this.#read()) {
      if (entry.type === "file" || entry.database !== "directory") break;
      const table = findTable(entry);
      if (!NAMED_TABLES.has(table.name)) continue;
      requireValidLines(table, entry.lines, this.#id);
      for (const line of entry.lines) {
        const row = parseLine(table, this.#mapHosts(table, line));
        if (table.name === "bio_slugs") {
          names.push(`/${row.slug}`);
          continue;
        }
        const hostname = this.#requireHost(String(row.hostname));
        const isHost = table.name === "domains";
        if (isHost) this.#hosts.push(hostname);
        if (isHost || getShortLabel(this.#options.settings, hostname) !== null) names.push(hostname);
      }
    }
    return names;
  }

  #requireHost(hostname: string): string {
    const problem =
      parseDomainName(hostname) === hostname
        ? findDomainProblem(this.#options.settings, hostname)
        : "is not a host name";
    if (problem !== null) throw new ImportError(`nothing was imported: the host ${hostname} ${problem}`);
    return hostname;
  }

  async #write(): Promise<void> {
    let former = 0;
    for await (const entry of this.#read()) {
      const stage = findStage(entry);
      // Names are checked in the entries of the directory, and rows by those before them.
      if (stage < former || (this.#number === 0 && stage > 0)) throw createOrderError();
      former = stage;
      if (entry.type === "file") await this.#writeFile(entry);
      else if (entry.database === "directory") await this.#writeDirectoryRows(entry);
      else await this.#writeShardRows(entry);
    }
    if (this.#number === 0) throw createOrderError();
    await this.#open();
  }

  async #writeDirectoryRows(entry: RowsEntry): Promise<void> {
    const { DIRECTORY } = this.#target;
    const table = findTable(entry);
    if (table === WORKSPACE_TABLE) {
      requireValidLines(table, entry.lines, this.#id);
      return this.#createWorkspace(entry.lines[0] ?? "[]");
    }
    const isOpening = OPENING_TABLES.includes(table);
    await this.#writeLines(table, entry.lines, async (lines) => {
      const rows = await this.#limitRows(table, lines);
      const insert = prepareLines(
        DIRECTORY,
        table,
        rows.map((line) => this.#mapHosts(table, line)),
      );
      if (isOpening) this.#opening.push(insert);
      else await insert.run();
    });
  }

  async #writeShardRows(entry: RowsEntry): Promise<void> {
    const table = findTable(entry);
    const shard = this.#shard;
    await this.#writeLines(table, entry.lines, async (lines) => {
      const packed = lines.map((line) => renumberLine(table, line, this.#number));
      await requireOwnRows(this.#target, shard.d1, table, packed, { id: this.#id, number: this.#number });
      const rows = table.name === "webhooks" ? await this.#unpackEndpoints(table, packed) : packed;
      await shard.run(prepareLines(shard.d1, table, rows));
    });
  }

  async #writeLines(
    table: MovedTable,
    lines: readonly string[],
    write: (step: readonly string[]) => Promise<void>,
  ): Promise<void> {
    const total = this.#counts[table.name];
    if (total === undefined) this.#options.onTable?.(table.name);
    requireValidLines(table, lines, this.#id);
    if (table.name === "held_names" && (total ?? 0) + lines.length > NAMES_MAX) {
      throw new ArchiveError(`the archive holds more than ${NAMES_MAX} names`);
    }
    for (let from = 0; from < lines.length; from += STEP_ROWS)
      await write(lines.slice(from, from + STEP_ROWS));
    this.#counts[table.name] = (total ?? 0) + lines.length;
  }

  /** Creates the hidden workspace. */
  async #createWorkspace(line: string): Promise<void> {
    const { slug } = this.#manifest.workspace;
    const { shard } = this.#options;
    const hidden = changeLine(WORKSPACE_TABLE, line, (row) => {
      if (!PLAN_NAMES.includes(row.plan as PlanName))
        throw new ArchiveError(`the plan ${row.plan} is unknown`);
      return { ...row, slug: formatImportName(slug) };
    });
    const names = [...listColumns(WORKSPACE_TABLE), "shard"];
    const row: RowValues = { ...parseLine(WORKSPACE_TABLE, hidden), shard };
    const created = await this.#target.DIRECTORY.prepare(
      `INSERT INTO workspaces (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")}) RETURNING number`,
    )
      .bind(...names.map((name) => row[name] ?? null))
      .first<number>("number");
    this.#number = Number(created);
    await this.#shard.enter("arriving");
    this.#counts.workspaces = 1;
  }

  /** Returns rows without what only people or the administrator of this installation can give. */
  async #limitRows(table: MovedTable, lines: readonly string[]): Promise<readonly string[]> {
    if (table.name === "members") return this.#holdMemberships(table, lines);
    if (table.name === "scim_tokens")
      return lines.map((line) => changeLine(table, line, (row) => ({ ...row, email_domains: "[]" })));
    if (table.name !== "held_names") return lines;
    const heldUntil = this.#epoch + HELD_MS;
    return lines.map((line) =>
      changeLine(table, line, (row) => ({
        ...row,
        ...{ rule: "used", held_until: Math.min(Number(row.held_until ?? heldUntil), heldUntil) },
      })),
    );
  }

  /** Returns members with pending memberships if they are people of other workspaces, who haven't agreed to this one. */
  async #holdMemberships(table: MovedTable, lines: readonly string[]): Promise<string[]> {
    const rows = lines.map((line) => parseLine(table, line));
    const people = rows.flatMap(({ person, email }) => [person, email]);
    const { results } = await this.#target.DIRECTORY.prepare(
      "SELECT DISTINCT person FROM members WHERE person IN (SELECT value FROM json_each(?1)) AND workspace_id <> ?2",
    )
      .bind(JSON.stringify(people), this.#id)
      .all<{ person: string }>();
    const known = new Set<unknown>(results.map(({ person }) => person));
    return lines.map((line) =>
      changeLine(table, line, (row) =>
        known.has(row.person === "" ? row.email : row.person) ? { ...row, is_accepted: 0 } : row,
      ),
    );
  }

  async #unpackEndpoints(table: MovedTable, lines: readonly string[]): Promise<string[]> {
    const { seal, passphrase } = this.#options.keys;
    return Promise.all(
      lines.map(async (line) => {
        const { id, url, secret, previous_secrets } = parseLine(table, line);
        const packed = { secret: secret as string | null, previous_secrets: String(previous_secrets) };
        const { created, ...secrets } = await unpackSecrets(String(id), packed, seal, passphrase).catch(
          () => {
            throw new ArchiveError("the archive has an invalid secret of a webhook");
          },
        );
        if (created !== null || seal === null) {
          this.#newSecrets.push({ webhook_id: String(id), url: String(url), secret: created });
        }
        return changeLine(table, line, (row) => ({ ...row, ...secrets }));
      }),
    );
  }

  async #writeFile({ bucket, key, size, metadata, body }: FileEntry): Promise<void> {
    if (this.#counts.files === undefined) this.#options.onTable?.("files");
    if (bucket !== "PRIVATE_FILES" && bucket !== "PUBLIC_FILES") {
      throw new ArchiveError(`the archive has a file of the unknown bucket ${bucket}`);
    }
    await this.#requireOwnFile(bucket, key, metadata);
    await this.#target[bucket].put(key, body, { ...metadata, size });
    this.#counts.files = (this.#counts.files ?? 0) + 1;
  }

  /** Throws {@link ArchiveError} unless a file belongs to an asset of the workspace that was imported before. */
  async #requireOwnFile(bucket: BucketName, key: string, metadata: StoredMetadata): Promise<void> {
    const isPublic = bucket === "PUBLIC_FILES";
    const id = key.split("/")[isPublic ? 0 : 1] ?? "";
    const asset = await this.#shard.d1
      .prepare("SELECT filename FROM assets WHERE id = ?1 AND workspace_id = ?2")
      .bind(id, this.#id)
      .first<{ filename: string }>();
    const ownKey = isPublic
      ? buildPublicFileKey({ id, filename: asset?.filename ?? "" })
      : buildPrivateFileKey({ id, workspaceId: this.#id });
    const { [WORKSPACE_KEY]: owner = this.#id } = metadata.customMetadata ?? {};
    if (asset !== null && key === ownKey && owner === this.#id) return;
    throw new ArchiveError("the archive has files of another workspace");
  }

  /**
   * Opens the imported workspace in one transaction. The shards know its hosts before, so that they reject links to
   * them. If the transaction fails, the hosts stay marked, and the cron deletes these copies. Webhooks stay paused, see
   * `isPaused` in `tenant/transits.ts`.
   */
  async #open(): Promise<void> {
    const { DIRECTORY } = this.#target;
    const { slug, primaryHost } = this.#manifest.workspace;
    const hosts = JSON.stringify(this.#hosts);
    await DIRECTORY.prepare(
      `INSERT INTO unsettled_hosts (hostname, unsettled_at) SELECT value, ?2 FROM json_each(?1) WHERE true
         ON CONFLICT DO UPDATE SET unsettled_at = excluded.unsettled_at`,
    )
      .bind(hosts, Date.now())
      .run();
    for (const shard of listShards(this.#target)) {
      await getShard(this.#target, shard)
        .prepare(
          "INSERT INTO own_hosts (hostname) SELECT value FROM json_each(?1) WHERE true ON CONFLICT DO NOTHING",
        )
        .bind(hosts)
        .run();
    }
    await this.#shard.run(preparePause(this.#shard.d1, this.#id));
    await DIRECTORY.batch([
      ...this.#opening,
      DIRECTORY.prepare(
        `UPDATE workspaces SET slug = ?2, primary_domain = (SELECT number FROM domains WHERE hostname = ?3 AND workspace_id = ?1)
          WHERE id = ?1`,
      ).bind(this.#id, slug, primaryHost === null ? null : this.#mapHost(primaryHost)),
      DIRECTORY.prepare(
        "DELETE FROM unsettled_hosts WHERE hostname IN (SELECT value FROM json_each(?1))",
      ).bind(hosts),
    ]);
  }

  /** Deletes everything that an unfinished import has written. */
  async #remove({ number, shard }: { number: number; shard: number }): Promise<void> {
    const { DIRECTORY } = this.#target;
    const workspace = { id: this.#id, number };
    const run = this.#openShard(shard, number);
    await run.enter("arriving");
    for await (const { bucket, key } of listFiles(run.d1, workspace)) {
      await this.#target[bucket].delete([key]);
    }
    await run.deleteRows(async () => {});
    for (const table of HIDDEN_TABLES.toReversed()) {
      let position: Position | null = {};
      while (position !== null) {
        const { keys, next } = await walkRows(DIRECTORY, table, workspace, position);
        if (keys.length > 0) await prepareDeletion(DIRECTORY, table, keys).run();
        position = next;
      }
    }
    await DIRECTORY.batch([
      DIRECTORY.prepare("DELETE FROM people_totals WHERE workspace_id = ?1").bind(this.#id),
      DIRECTORY.prepare("DELETE FROM workspaces WHERE id = ?1").bind(this.#id),
    ]);
    await removeTransit(run.d1, this.#id);
  }

  #mapHosts(table: MovedTable, line: string): string {
    const column = HOST_COLUMNS[table.name];
    if (column === undefined) return line;
    return changeLine(table, line, (row) => ({ ...row, [column]: this.#mapHost(String(row[column])) }));
  }

  #mapHost(host: string): string {
    const { shortDomain: from } = this.#manifest;
    const { shortHost: to } = this.#options.settings;
    return isWithinDomain(host, from) ? host.slice(0, -from.length) + to : host;
  }
}

function explainExisting(found: { slug: string; isSame: number }, slug: string): string {
  if (found.isSame === 0) {
    return `workspace ${slug} exists, and is another one than the archive's; delete that one first`;
  }
  const deletedAtMs = readDeletionTime(found.slug);
  return Number.isNaN(deletedAtMs)
    ? `this workspace exists already, as ${found.slug}; delete it first to replace it`
    : "this workspace was deleted here and is still being erased; try again a day after its deletion";
}

/** Returns when an entry is written: the workspace first, then its rows in the directory, in the shard, and its files. */
function findStage(entry: Entry): number {
  if (entry.type === "file") return 3;
  if (entry.database !== "directory") return 2;
  return entry.table === WORKSPACE_TABLE.name ? 0 : 1;
}

function createOrderError(): ArchiveError {
  return new ArchiveError("the archive has its entries in another order than every export");
}

/** Returns true if a database rejected a row: by a constraint or a trigger, or because SQLite can't read its JSON. */
function isRejectedRow(error: unknown): error is Error {
  return (
    error instanceof Error &&
    /SQLITE_(?:CONSTRAINT|TOOBIG)|constraint failed|malformed JSON/.test(error.message)
  );
}

/** Returns the table of an entry. Throws {@link ArchiveError} if this version has no such table or other columns. */
function findTable({ database, table: name, columns }: RowsEntry): MovedTable {
  const tables = database === "directory" ? DIRECTORY_TABLES : MOVED_TABLES;
  const table = tables.find((each) => each.name === name);
  if (table !== undefined && listColumns(table).join() === columns.join()) return table;
  throw new ArchiveError(
    `the archive was written by another version of Signpost: its table ${name} differs; update both installations and export again`,
  );
}

function prepareLines(d1: D1Database, table: MovedTable, lines: readonly string[]): D1PreparedStatement {
  return d1.prepare(insertLines(table)).bind(`[${lines.join(",")}]`);
}
