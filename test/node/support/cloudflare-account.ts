import { randomUUID } from "node:crypto";
import { DatabaseSync } from "node:sqlite";

/** D1 database of a {@link CloudflareAccount}. */
export interface FakeDatabase {
  uuid: string;
  location: string | null;
  sqlite: DatabaseSync;
  hasReplicas: boolean;
}

/** Worker of a {@link CloudflareAccount}. */
export interface FakeWorker {
  secrets: Map<string, string>;
  /** Tags of its versions, oldest first; null for a version without one. The last serves all requests. */
  tags: (string | null)[];
  /** Number of times that its routes and consumers were set. */
  triggerCount: number;
}

/** Cloudflare account in memory. Its databases are real. */
export class CloudflareAccount {
  readonly databases = new Map<string, FakeDatabase>();
  readonly buckets = new Set<string>();
  /** Seconds for which a queue keeps messages, by its name; null for the default. */
  readonly queues = new Map<string, number | null>();
  readonly workers = new Map<string, FakeWorker>();

  createDatabase(name: string, location: string | null = null): FakeDatabase {
    const database = { uuid: randomUUID(), location, sqlite: new DatabaseSync(":memory:"), hasReplicas: false };
    this.databases.set(name, database);
    return database;
  }

  /** Creates the Worker unless it exists, as the first secret does. */
  ensureWorker(name: string): FakeWorker {
    const worker = this.workers.get(name) ?? { secrets: new Map(), tags: [null], triggerCount: 0 };
    this.workers.set(name, worker);
    return worker;
  }

  /** Copies everything except values that no one can read. Two equal copies are the same account. */
  describe() {
    return {
      databases: [...this.databases].map(([name, { uuid, location, sqlite }]) => ({
        name,
        uuid,
        location,
        tables: sqlite.prepare("SELECT name FROM sqlite_schema ORDER BY name").all(),
      })),
      buckets: [...this.buckets],
      queues: [...this.queues],
      workers: [...this.workers].map(([name, { secrets, tags }]) => ({ name, secrets: [...secrets], tags: [...tags] })),
    };
  }
}
