import type { SQLInputValue } from "node:sqlite";
import type { FileBucket, Installation } from "../backup/export-workspace.ts";
import { type DatabaseName, type Deployment, executeLocally, listShardNames } from "./admin-database.ts";
import type { ListedFile } from "./backup-create.ts";
import { beginReads, openDatabases } from "./local-backup.ts";
import { callLocalBucket } from "./local-databases.ts";
import { withStorage } from "./remote-backup.ts";
import type { StateFolder } from "./state.ts";

/** Databases and buckets as bindings, for commands that export and import workspaces. */

type Rows = Record<string, unknown>[];
/** Runs statements in one transaction, and returns the rows of each. */
type RunBatch = (statements: readonly BoundStatement[]) => Promise<Rows[]>;

/** Statement as D1 has it, as far as moves, exports and imports use it. */
class BoundStatement {
  readonly sql: string;
  readonly values: readonly unknown[];
  readonly #runBatch: RunBatch;

  constructor(runBatch: RunBatch, sql: string, values: readonly unknown[] = []) {
    this.#runBatch = runBatch;
    this.sql = sql;
    this.values = values;
  }

  bind(...values: unknown[]): BoundStatement {
    return new BoundStatement(this.#runBatch, this.sql, values);
  }

  async all() {
    const [results = []] = await this.#runBatch([this]);
    return { results };
  }

  run() {
    return this.all();
  }

  async first(column?: string) {
    const [row] = (await this.all()).results;
    if (row === undefined) return null;
    return column === undefined ? row : row[column];
  }
}

function createDatabase(runBatch: RunBatch): D1Database {
  const database = {
    prepare: (sql: string) => new BoundStatement(runBatch, sql),
    batch: async (statements: readonly BoundStatement[]) =>
      (await runBatch(statements)).map((results) => ({ results })),
  };
  return database as unknown as D1Database;
}

/**
 * Calls `use` with an installation whose databases don't change while it reads them. D1 offers no snapshot, so the
 * export of a deployment may miss changes that are made during it.
 */
export async function withSnapshot<Result>(
  deployment: Deployment,
  use: (source: Installation) => Promise<Result>,
): Promise<Result> {
  const { state } = deployment;
  if (state === null) return withBindings(deployment, use);
  const opened = openDatabases({ ...deployment, state }, true);
  try {
    beginReads(opened);
    const databases = [...opened].map(([name, database]) => {
      const run: RunBatch = async (statements) =>
        statements.map(({ sql, values }) => database.prepare(sql).all(...(values as SQLInputValue[])));
      return [name, createDatabase(run)];
    });
    return await use({ ...Object.fromEntries(databases), ...openLocalBuckets(state) });
  } finally {
    for (const database of opened.values()) database.close();
  }
}

/** Calls `use` with an installation that can be written, through the running service if one runs. */
export async function withInstallation<Result>(
  deployment: Deployment,
  use: (target: Installation) => Promise<Result>,
): Promise<Result> {
  const { state } = deployment;
  if (state === null) return withBindings(deployment, use);
  const names: DatabaseName[] = [...listShardNames(deployment), "DIRECTORY"];
  const databases = names.map((name) => {
    const run: RunBatch = async (statements) => {
      const bound = statements.map(({ sql, values }) => ({ sql, values }));
      return (await executeLocally(state, name, bound)).rows;
    };
    return [name, createDatabase(run)];
  });
  return use({ ...Object.fromEntries(databases), ...openLocalBuckets(state) });
}

function withBindings<Result>(
  deployment: Deployment,
  use: (installation: Installation) => Promise<Result>,
): Promise<Result> {
  return withStorage(deployment, ({ databases, buckets }) => {
    const opened = Object.entries(buckets).map(([name, bucket]) => [name, bufferWrites(bucket)]);
    return use({ ...databases, ...Object.fromEntries(opened) } as unknown as Installation);
  });
}

/** R2 needs the length of a stream, which is lost on the way to a deployment. Files have at most 100 MB. */
function bufferWrites(bucket: R2Bucket): FileBucket {
  return {
    get: (key) => bucket.get(key),
    put: async (key, body, { size: _, ...metadata }) =>
      bucket.put(key, await new Response(body).arrayBuffer(), metadata),
    delete: (keys) => bucket.delete(keys),
  };
}

function openLocalBuckets(state: StateFolder): Pick<Installation, "PRIVATE_FILES" | "PUBLIC_FILES"> {
  const open = (bucket: string): FileBucket => ({
    async get(key) {
      const listed = await callLocalBucket(state, { bucket, action: "list", prefix: key });
      const { files } = (await listed.json()) as { files: ListedFile[] };
      const file = files.find((each) => each.key === key);
      if (file === undefined) return null;
      const { size, etag, metadata } = file;
      const response = await callLocalBucket(state, { bucket, action: "get", key, etag });
      return response.status === 404
        ? null
        : { size, ...metadata, body: response.body ?? new Blob().stream() };
    },
    put: (key, body, { size, ...metadata }) =>
      callLocalBucket(state, { bucket, action: "put", key, size, metadata }, body),
    delete: (keys) => callLocalBucket(state, { bucket, action: "delete", keys }),
  });
  return { PRIVATE_FILES: open("PRIVATE_FILES"), PUBLIC_FILES: open("PUBLIC_FILES") };
}
