import { CommandError } from "./command-error.ts";
import type { DeclaredBucket, DeclaredDatabase } from "./deployment-config.ts";
import { extractErrorMessage, type WranglerResult } from "./wrangler.ts";

/** Runs wrangler. `input` is its standard input. */
export type RunWrangler = (args: readonly string[], input?: string) => Promise<WranglerResult>;

/** Maximum number of pages read. An account has at most 10,000 queues, and a page has at least 20. */
const QUEUE_PAGES_MAX = 500;

/** Errors for missing resources. The numbers are error codes of Cloudflare's API, which wrangler prints. */
const NO_BUCKET = /\[code: 10006\]/;
const NO_WORKER = /\[code: (?:10007|10090)\]|has no deployments|Worker "[^"]*".* not found/;
const NO_TABLE = /no such table/;

/**
 * Reads a Cloudflare account through wrangler, without changing it. All methods throw
 * {@link CommandError} with wrangler's message on failure.
 */
export class AccountReader {
  readonly #run: RunWrangler;
  readonly #flags: readonly string[];

  /** `environment` is an environment of wrangler.toml. */
  constructor(run: RunWrangler, environment: string) {
    this.#run = run;
    this.#flags = ["--env", environment];
  }

  /** Returns true if wrangler has a valid login or API token. */
  async isLoggedIn(): Promise<boolean> {
    const result = await this.#run(["whoami", "--json", ...this.#flags]);
    if (result.ok) return true;
    if (/"loggedIn":\s*false/.test(result.stdout + result.stderr)) return false;
    throw new CommandError(`whoami: ${extractErrorMessage(result)}`);
  }

  /** Returns the IDs of all databases by name. */
  async listDatabases(): Promise<Map<string, string>> {
    const result = await this.#run(["d1", "list", "--json", ...this.#flags]);
    const databases: { name: string; uuid: string }[] = parseJson(result, "d1 list");
    return new Map(databases.map(({ name, uuid }) => [name, uuid]));
  }

  /**
   * Returns true if a bucket exists. Asks for one bucket, because `r2 bucket list` prints only the first
   * page.
   */
  async hasBucket({ name, jurisdiction }: DeclaredBucket): Promise<boolean> {
    const flags = jurisdiction === null ? [] : ["--jurisdiction", jurisdiction];
    const result = await this.#run(["r2", "bucket", "info", name, "--json", ...flags, ...this.#flags]);
    if (!result.ok && NO_BUCKET.test(result.stdout + result.stderr)) return false;
    parseJson(result, `r2 bucket info ${name}`);
    return true;
  }

  /** Returns the names of all queues. */
  async listQueues(): Promise<Set<string>> {
    const names = new Set<string>();
    for (let page = 1; page <= QUEUE_PAGES_MAX; page++) {
      const result = await this.#run(["queues", "list", "--page", String(page), ...this.#flags]);
      if (!result.ok) throw new CommandError(`queues list: ${extractErrorMessage(result)}`);
      const listed = parseColumn(result.stdout, "name");
      if (listed.every((name) => names.has(name))) break;
      for (const name of listed) names.add(name);
    }
    return names;
  }

  /** Returns the names of the Worker's secrets, or null if the Worker doesn't exist. */
  async listSecrets(): Promise<string[] | null> {
    const result = await this.#run(["secret", "list", ...this.#flags]);
    if (!result.ok && NO_WORKER.test(result.stdout + result.stderr)) return null;
    const secrets: { name: string }[] = parseJson(result, "secret list");
    return secrets.map(({ name }) => name);
  }

  /**
   * Returns the tag of the deployed version. Returns null if there is no Worker, if traffic is split
   * between versions, or if the version has no tag.
   */
  async findDeployedTag(): Promise<string | null> {
    const status = await this.#run(["deployments", "status", "--json", ...this.#flags]);
    if (!status.ok && NO_WORKER.test(status.stdout + status.stderr)) return null;
    const { versions }: { versions: { version_id: string }[] } = parseJson(status, "deployments status");
    const [version, ...others] = versions;
    if (version === undefined || others.length > 0) return null;
    const view = await this.#run(["versions", "view", version.version_id, "--json", ...this.#flags]);
    const { annotations }: { annotations?: Record<string, string> } = parseJson(view, "versions view");
    return annotations?.["workers/tag"] ?? null;
  }

  /** Returns the names of the migrations applied to a database. */
  async listAppliedMigrations({ binding, migrationsTable }: DeclaredDatabase): Promise<Set<string>> {
    // Doesn't use `d1 migrations list`, which would create the table.
    const query = `SELECT name FROM "${migrationsTable}"`;
    const result = await this.#run([
      "d1",
      "execute",
      binding,
      "--remote",
      "--json",
      "--command",
      query,
      ...this.#flags,
    ]);
    if (!result.ok && NO_TABLE.test(result.stdout + result.stderr)) return new Set();
    const [rows]: { results: { name: string }[] }[] = parseJson(result, `d1 execute ${binding}`);
    return new Set(rows?.results.map(({ name }) => name));
  }

  /**
   * Returns true if a database has read replicas. Returns false if the API token lacks permission to read
   * this.
   */
  async hasReplicas({ binding }: DeclaredDatabase): Promise<boolean> {
    const result = await this.#run(["d1", "info", binding, "--json", ...this.#flags]);
    return result.ok && JSON.parse(result.stdout).read_replication?.mode === "auto";
  }
}

/** Parses wrangler's JSON output. Throws {@link CommandError} with wrangler's message if the run failed. */
function parseJson(result: WranglerResult, name: string) {
  if (!result.ok) throw new CommandError(`${name}: ${extractErrorMessage(result)}`);
  try {
    return JSON.parse(result.stdout);
  } catch {
    throw new CommandError(`${name}: wrangler did not print JSON:\n${result.stdout}`);
  }
}

/** Returns the cells of one column of a table printed by wrangler, without the title. */
function parseColumn(table: string, title: string): string[] {
  const rows = table
    .split("\n")
    .filter((line) => line.startsWith("│"))
    .map((line) => line.split("│").map((cell) => cell.trim()));
  const [titles = [], ...others] = rows;
  const column = titles.indexOf(title);
  return others.map((cells) => cells[column] ?? "").filter((cell) => cell !== "");
}
