import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { RunWrangler } from "../../../src/cli/deployment-account.ts";
import { listMigrations } from "../../../src/cli/deployment-checks.ts";
import { type DeclaredEnvironment, readEnvironment } from "../../../src/cli/deployment-config.ts";
import type { WranglerResult } from "../../../src/cli/wrangler.ts";
import { CloudflareAccount } from "./cloudflare-account.ts";

/** Call of a {@link FakeWrangler}. */
interface Call {
  args: string;
  input: string;
}

/**
 * Moment at which a call fails: before it changes the account, or afterwards, when only its result is lost.
 */
export type FailureMoment = "before" | "after";

const READING =
  /^(?:whoami|d1 (?:list|execute|info)|r2 bucket info|queues list|secret list|deployments status|versions view|deploy --dry-run)\b/;
const QUEUES_PER_PAGE = 4;
const BANNER = "\n ⛅️ wrangler 4.156.2\n───────────────────\n";

/** Wrangler 4.156.2 with an account in memory: the same commands, outputs and errors. Records its calls. */
export class FakeWrangler {
  readonly account = new CloudflareAccount();
  readonly calls: Call[] = [];
  isLoggedIn = true;
  /** Code of the bundled Worker. */
  code = "export default {}";
  /** Chooses the calls that fail, by their arguments. */
  chooseFailure: (args: string) => FailureMoment | null = () => null;
  readonly #configFile: string;
  #declared: { text: string; declared: DeclaredEnvironment } | null = null;

  constructor(configFile: string) {
    this.#configFile = configFile;
  }

  /** Calls that change the account. */
  get changes(): string[] {
    return this.calls.map(({ args }) => args).filter((args) => !READING.test(args));
  }

  readonly run: RunWrangler = async (args, input = "") => {
    const line = args.join(" ");
    this.calls.push({ args: line, input });
    const declared = await this.#readDeclared();
    const failure = this.chooseFailure(line);
    if (failure === "before")
      return fail("A request to the Cloudflare API failed.\n\n  Internal error [code: 7500]");
    const result = this.#answer(line.replace(/ --env production$/, ""), input, declared);
    return failure === "after" ? fail("fetch failed") : result;
  };

  /**
   * Reads the declarations of production. Parsing takes longer than the rest of a call, so it is only
   * repeated after changes.
   */
  async #readDeclared(): Promise<DeclaredEnvironment> {
    const text = readFileSync(this.#configFile, "utf8");
    if (this.#declared?.text !== text) {
      const { declared } = await readEnvironment("production", this.#configFile);
      this.#declared = { text, declared };
    }
    return this.#declared.declared;
  }

  #answer(line: string, input: string, declared: DeclaredEnvironment): WranglerResult {
    const [, group = "", rest = ""] =
      /^(d1 migrations apply|r2 bucket \w+|deploy --dry-run|(?:d1|queues|secret|deployments|versions|triggers) \w+|\w+) ?(.*)$/.exec(
        line,
      ) ?? [];
    const words = rest.split(" ");
    const [name = ""] = words;
    const worker = this.account.workers.get(declared.worker);
    switch (group) {
      case "whoami":
        return this.isLoggedIn
          ? succeed(JSON.stringify({ loggedIn: true, authType: "OAuth Token", accounts: [] }, null, 4))
          : { ok: false, stdout: '{"loggedIn":false}', stderr: "" };
      case "d1 list":
        return succeed(
          JSON.stringify([...this.account.databases].map(([name, { uuid }]) => ({ uuid, name }))),
        );
      case "d1 create": {
        const location = /--location (\w+)/.exec(rest)?.[1] ?? null;
        const created = this.account.createDatabase(name, location);
        return created === null
          ? fail("A database with that name already exists")
          : succeed(`${BANNER}✅ Successfully created DB '${name}'`);
      }
      case "d1 info": {
        const mode = this.#findDatabase(name, declared)?.hasReplicas ? "auto" : "disabled";
        return succeed(JSON.stringify({ name, read_replication: { mode } }));
      }
      case "d1 execute":
        return this.#execute(name, /--command (.*)$/.exec(rest)?.[1] ?? "", declared);
      case "d1 migrations apply":
        return this.#migrate(name, declared);
      case "r2 bucket info":
        return this.account.buckets.has(name)
          ? succeed(JSON.stringify({ name, object_count: "0", bucket_size: "0 B" }))
          : fail(
              `A request to the Cloudflare API failed.\n\n  The specified bucket does not exist. [code: 10006]`,
            );
      case "r2 bucket create":
        if (this.account.buckets.has(name)) {
          return fail("The bucket you tried to create already exists, and you own it. [code: 10004]");
        }
        this.account.buckets.add(name);
        return succeed(`${BANNER}Creating bucket '${name}'...\n✅ Created bucket '${name}'`);
      case "queues list":
        return succeed(`${BANNER}${this.#formatQueues(Number(words[1]))}`);
      case "queues create":
        if (this.account.queues.has(name))
          return fail(`Queue name '${name}' is already taken. [code: 11009]`);
        this.account.queues.set(
          name,
          Number(/--message-retention-period-secs (\d+)/.exec(rest)?.[1] ?? 0) || null,
        );
        return succeed(`${BANNER}🌀 Creating queue '${name}'\n✅ Created queue '${name}'`);
      case "secret list":
        return worker
          ? succeed(JSON.stringify([...worker.secrets.keys()].map((name) => ({ name, type: "secret_text" }))))
          : fail(`Worker "${declared.worker}" (env: production) not found.`);
      case "secret bulk": {
        const { secrets, tags } = this.account.ensureWorker(declared.worker);
        for (const [name, value] of Object.entries<string>(JSON.parse(input))) secrets.set(name, value);
        tags.push(null);
        return succeed(`${BANNER}🌀 Processing the secrets for the Worker "${declared.worker}"`);
      }
      case "deployments status":
        if (!worker) return fail("This Worker does not exist on your account. [code: 10007]");
        return succeed(JSON.stringify({ id: "d", versions: [{ version_id: "last", percentage: 100 }] }));
      case "versions view":
        return succeed(
          JSON.stringify({ id: name, annotations: { "workers/tag": worker?.tags.at(-1) ?? undefined } }),
        );
      case "deploy --dry-run":
        writeFileSync(join(words[1] ?? "", "index.js"), this.code);
        for (const name of ["README.md", "index.js.map"]) {
          writeFileSync(join(words[1] ?? "", name), `built at ${Math.random()}`);
        }
        return succeed(`${BANNER}--dry-run: exiting now.`);
      case "deploy":
        return this.#deploy(words[1] ?? "", declared);
      case "triggers deploy":
        if (!worker) return fail("This Worker does not exist on your account. [code: 10007]");
        worker.triggerCount++;
        return succeed(`${BANNER}Deployed ${declared.worker} triggers (0.42 sec)`);
      default:
        throw new Error(`unknown command: ${line}`);
    }
  }

  /** Finds a database by its binding. */
  #findDatabase(binding: string, { databases }: DeclaredEnvironment) {
    const name = databases.find((database) => database.binding === binding)?.name ?? "";
    return this.account.findDatabase(name);
  }

  #execute(binding: string, sql: string, declared: DeclaredEnvironment): WranglerResult {
    try {
      const results = this.#findDatabase(binding, declared)?.sqlite.prepare(sql).all();
      return succeed(JSON.stringify([{ results, success: true, meta: { duration: 0.2 } }]));
    } catch (error) {
      const text = `${(error as Error).message}: SQLITE_ERROR [code: 7500]`;
      return { ok: false, stdout: JSON.stringify({ error: { text, notes: [{ text }] } }), stderr: "" };
    }
  }

  #migrate(binding: string, declared: DeclaredEnvironment): WranglerResult {
    const sqlite = this.#findDatabase(binding, declared)?.sqlite;
    const database = declared.databases.find((other) => other.binding === binding);
    if (!sqlite || !database) return fail(`Couldn't find a D1 DB named '${binding}'`);
    sqlite.exec(
      "CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE)",
    );
    const folder = join(dirname(this.#configFile), database.migrationsFolder ?? "migrations");
    for (const name of listMigrations(folder)) {
      if (sqlite.prepare("SELECT 1 FROM d1_migrations WHERE name = ?").get(name)) continue;
      try {
        sqlite.exec(readFileSync(join(folder, name), "utf8"));
      } catch (error) {
        return fail(`Migration ${name} failed with the following errors:\n${(error as Error).message}`);
      }
      sqlite.prepare("INSERT INTO d1_migrations (name) VALUES (?)").run(name);
    }
    return succeed(`${BANNER}Migrations to be applied:`);
  }

  #formatQueues(page: number): string {
    const names = [...this.account.queues.keys()].slice((page - 1) * QUEUES_PER_PAGE, page * QUEUES_PER_PAGE);
    if (names.length === 0) return "\n";
    const rows = names.map((name) => `│ 0f1e │ ${name.padEnd(40)} │ 2026-11-21T00:00:00Z │ 1 │ 1 │`);
    return [
      "┌──────┬──────┐",
      "│ id   │ name │ created_on │ producers │ consumers │",
      "├──────┼──────┤",
      ...rows,
    ].join("\n");
  }

  #deploy(tag: string, declared: DeclaredEnvironment): WranglerResult {
    const worker = this.account.workers.get(declared.worker);
    const missing = declared.secrets.filter((name) => !worker?.secrets.has(name));
    if (!worker || missing.length > 0) {
      return fail(`The following required secrets have not been set: ${missing.join(", ")}`);
    }
    worker.tags.push(tag);
    worker.triggerCount++;
    return succeed(`${BANNER}Uploaded ${declared.worker} (2.1 sec)\nCurrent Version ID: last`);
  }
}

function succeed(stdout: string): WranglerResult {
  return { ok: true, stdout, stderr: "" };
}

/** Prints an error as wrangler does, with colours and its last line. */
function fail(message: string): WranglerResult {
  const stderr = `\u001b[31m✘ \u001b[41;31m[\u001b[41;97mERROR\u001b[41;31m]\u001b[0m \u001b[1m${message}\u001b[0m\n\n\n🪵  Logs were written to "/logs/wrangler.log"\n`;
  return { ok: false, stdout: BANNER, stderr };
}
