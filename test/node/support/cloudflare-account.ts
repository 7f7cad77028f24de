import { randomUUID } from "node:crypto";
import { DatabaseSync } from "node:sqlite";

/** D1 database of a {@link CloudflareAccount}. */
interface AccountDatabase {
  uuid: string;
  /** Location hint of its creation. */
  location: string | null;
  sqlite: DatabaseSync;
  hasReplicas: boolean;
}

/** Worker of a {@link CloudflareAccount}. */
interface AccountWorker {
  secrets: Map<string, string>;
  /**
   * Tags of its versions, oldest first, or null for a version without one. The last version serves all
   * requests.
   */
  tags: (string | null)[];
  /** Number of times that its routes and consumers were set. */
  triggerCount: number;
}

/** Cloudflare account in memory, with real SQLite databases. */
export class CloudflareAccount {
  readonly databases = new Map<string, AccountDatabase>();
  readonly buckets = new Set<string>();
  /** Seconds for which each queue keeps messages, or null for the default. */
  readonly queues = new Map<string, number | null>();
  readonly workers = new Map<string, AccountWorker>();

  /** Creates a database. Returns null if the name is taken. */
  createDatabase(name: string, location: string | null = null): AccountDatabase | null {
    if (this.databases.has(name)) return null;
    const sqlite = new DatabaseSync(":memory:");
    const database = { uuid: randomUUID(), location, sqlite, hasReplicas: false };
    this.databases.set(name, database);
    return database;
  }

  /** Finds a database by its name or id. */
  findDatabase(key: string): (AccountDatabase & { name: string }) | null {
    const found = [...this.databases].find(([name, { uuid }]) => name === key || uuid === key);
    return found ? { name: found[0], ...found[1] } : null;
  }

  /** Returns a Worker. Creates it without code if it does not exist, as setting the first secret does. */
  ensureWorker(name: string): AccountWorker {
    const worker = this.workers.get(name) ?? { secrets: new Map(), tags: [null], triggerCount: 0 };
    this.workers.set(name, worker);
    return worker;
  }

  /** Copies the state, except for values that can be set again without effect. */
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
      workers: [...this.workers].map(([name, { secrets, tags }]) => ({
        name,
        secrets: [...secrets],
        tags: [...tags],
      })),
    };
  }
}
