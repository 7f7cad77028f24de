import { describe, expect, test } from "vitest";
import { editProject } from "./support/deployment-project.ts";
import { addShard, deploy, readDeclared, start } from "./support/deployment-run.ts";
import type { FailureMoment, FakeWrangler } from "./support/fake-wrangler.ts";

/** Deploys the project's wrangler.toml with other hosts. The fake wrangler keeps its account in memory. */

describe("the first deployment", () => {
  test("creates everything that wrangler.toml declares, then migrates, then generates secrets, then deploys", async () => {
    const { configFile, wrangler } = start(addShard);
    const { status, lines, error } = await deploy(wrangler, configFile);
    expect({ status, error }).toEqual({ status: 0, error: "" });
    const { databases, buckets, queues } = await readDeclared(configFile);
    const age = " --message-retention-period-secs 1209600";
    expect(wrangler.changes.map((args) => args.replace(/ --env production$/, ""))).toEqual([
      ...databases.map(({ name }) => `d1 create ${name}`),
      ...buckets.map(({ name }) => `r2 bucket create ${name}`),
      ...queues.map(({ name, isDeadLetter }) => `queues create ${name}${isDeadLetter ? age : ""}`),
      ...databases.map(({ binding }) => `d1 migrations apply ${binding} --remote`),
      "secret bulk",
      expect.stringMatching(/^deploy --tag [0-9a-f]{24}$/),
    ]);
    expect(wrangler.calls.every(({ args }) => args.endsWith(" --env production"))).toBe(true);
    expect(databases.length).toBeGreaterThan(1);
    expect(queues.length).toBeGreaterThan(7);
    for (const { name } of databases) {
      const tables = wrangler.account.describe().databases.find((database) => database.name === name)?.tables;
      expect(tables, name).toEqual(expect.arrayContaining([{ name: "first" }, { name: "second" }]));
    }
    expect(lines).toEqual(
      expect.arrayContaining([
        "✓ configuration (valid, and the Worker can be bundled)",
        "+ database signpost-production-shard-7 (created)",
        "+ bucket signpost-production-private (created)",
        "+ queue signpost-production-scans-dead (created)",
        "+ migrations of SHARD_7 (2 applied)",
        "+ secrets UPLOAD_SECRET, WEBHOOK_KEY (generated)",
        "+ Worker signpost-production (deployed)",
      ]),
    );
  });

  test("bundles the Worker before it creates anything", async () => {
    const { configFile, wrangler } = start();
    wrangler.chooseFailure = (args) => (args.startsWith("deploy --dry-run") ? "before" : null);
    const { status, error } = await deploy(wrangler, configFile);
    expect({ status, changes: wrangler.changes }).toEqual({ status: 1, changes: [] });
    expect(error).toMatch(/^the Worker cannot be bundled: A request to the Cloudflare API failed/);
  });

  test("prints the URLs and the next steps, with missing DNS records and replicas", async () => {
    const { configFile, wrangler } = start();
    const { lines } = await deploy(wrangler, configFile);
    const text = lines.join("\n");
    expect(text).toContain("API           https://api.acme.com/v1");
    expect(text).toContain("Short links   https://{workspace}.acme-go.com/{code}");
    expect(text).toMatch(/1\. Add the proxied DNS record AAAA \* 100:: to the zone of acme-go\.com/);
    expect(text).toMatch(/2\. Turn on read replication of signpost-production/);
    expect(text).toMatch(/3\. Create .*\n\n.* workspace create .* --remote --env production\n/);
    for (const database of wrangler.account.databases.values()) database.hasReplicas = true;
    const repeated = await deploy(wrangler, configFile);
    expect(repeated.lines.join("\n")).not.toContain("read replication");
  });

  test("creates databases and buckets in the given --location", async () => {
    const { configFile, wrangler } = start();
    await deploy(wrangler, configFile, { location: "weur" });
    const locations = [...wrangler.account.databases.values()].map(({ location }) => location);
    expect(new Set(locations)).toEqual(new Set(["weur"]));
    const buckets = wrangler.changes.filter((args) => args.startsWith("r2 bucket create"));
    expect(buckets.filter((args) => !args.includes(" --location weur "))).toEqual([]);
  });

  test("creates a bucket in its jurisdiction, without a location", async () => {
    const { configFile, wrangler } = start((toml) =>
      toml.replace(/^bucket_name = "signpost-production-private"$/m, '$&\njurisdiction = "eu"'),
    );
    await deploy(wrangler, configFile, { location: "weur" });
    expect(wrangler.changes).toContain(
      "r2 bucket create signpost-production-private --jurisdiction eu --env production",
    );
  });
});

test("--jurisdiction creates databases and buckets there, and refuses an environment that doesn't declare it", async () => {
  const bare = start();
  const refused = await deploy(bare.wrangler, bare.configFile, { jurisdiction: "eu" });
  expect(refused.status).toBe(1);
  expect(refused.error).toContain('[vars] JURISDICTION: must be "eu", or Durable Objects could be anywhere');
  expect(refused.error).toContain('[[r2_buckets]] jurisdiction of signpost-production-public: must be "eu"');
  expect(bare.wrangler.changes).toEqual([]);

  const { configFile, wrangler } = start((toml) =>
    toml
      .replace(/^# (?=JURISDICTION)/m, "")
      .replace(/^bucket_name = "signpost-production-.*"$/gm, '$&\njurisdiction = "eu"'),
  );
  expect((await deploy(wrangler, configFile, { jurisdiction: "eu" })).status).toBe(0);
  const created = wrangler.changes.filter((args) => /^(?:d1|r2 bucket) create/.test(args));
  expect(created).toHaveLength(4);
  expect(created.filter((args) => !args.includes(" --jurisdiction eu "))).toEqual([]);
});

describe("secrets", () => {
  test("are random, long and different, and are passed only through stdin", async () => {
    const { configFile, wrangler } = start();
    const { lines } = await deploy(wrangler, configFile);
    const other = start();
    await deploy(other.wrangler, other.configFile);
    const values = [wrangler, other.wrangler].flatMap(({ account }) =>
      [...account.workers.values()].flatMap(({ secrets }) => [...secrets.values()]),
    );
    expect(values.length).toBe(4);
    expect(new Set(values).size).toBe(4);
    for (const value of values) {
      expect(Buffer.from(value, "base64url")).toHaveLength(32);
      expect(lines.join("\n")).not.toContain(value);
      expect(wrangler.calls.filter(({ args }) => args.includes(value))).toEqual([]);
    }
  });

  test("are kept if another secret becomes required", async () => {
    const { configFile, wrangler } = start();
    await deploy(wrangler, configFile);
    const secrets = wrangler.account.ensureWorker("signpost-production").secrets;
    const former = new Map(secrets);
    editProject(configFile, (toml) => toml.replaceAll('"WEBHOOK_KEY"]', '"WEBHOOK_KEY", "NEXT_SECRET"]'));
    const { lines } = await deploy(wrangler, configFile);
    expect(lines).toContain("+ secrets NEXT_SECRET (generated)");
    expect([...secrets].filter(([name]) => name !== "NEXT_SECRET")).toEqual([...former]);
    expect(secrets.has("NEXT_SECRET")).toBe(true);
  });
});

describe("a repeated deployment", () => {
  test("changes nothing, and sets routes and consumers again", async () => {
    const { configFile, wrangler } = start(addShard);
    await deploy(wrangler, configFile);
    const former = wrangler.account.describe();
    wrangler.calls.length = 0;
    const { status, lines } = await deploy(wrangler, configFile);
    expect(status).toBe(0);
    expect(wrangler.changes).toEqual(["triggers deploy --env production"]);
    expect(wrangler.account.describe()).toEqual(former);
    expect(lines.filter((line) => line.startsWith("+"))).toEqual([]);
    expect(lines).toContain("✓ migrations of SHARD_7 (2 applied)");
    expect(lines).toContain("✓ Worker signpost-production (this version is deployed)");
  });

  test("deploys changed code and changes nothing else", async () => {
    const { configFile, wrangler } = start();
    await deploy(wrangler, configFile);
    wrangler.calls.length = 0;
    wrangler.code = "export default { changed: true }";
    await deploy(wrangler, configFile);
    expect(wrangler.changes).toEqual([expect.stringMatching(/^deploy --tag /)]);
  });

  test("deploys a changed var, but not a changed comment or environment", async () => {
    const { configFile, wrangler } = start();
    await deploy(wrangler, configFile);
    wrangler.calls.length = 0;
    editProject(configFile, (toml) => `# comment\n${toml}\n[env.staging]\nname = "signpost-staging"\n`);
    await deploy(wrangler, configFile);
    expect(wrangler.changes).toEqual(["triggers deploy --env production"]);
    editProject(configFile, (toml) => toml.replaceAll("https://cdn.acme.com", "https://files.acme.com"));
    editProject(configFile, (toml) => toml.replaceAll('"cdn.acme.com"', '"files.acme.com"'));
    await deploy(wrangler, configFile);
    expect(wrangler.changes.at(-1)).toMatch(/^deploy --tag /);
  });

  test("creates and migrates a shard whose binding was added, and deploys", async () => {
    const { configFile, wrangler } = start();
    await deploy(wrangler, configFile);
    wrangler.calls.length = 0;
    editProject(configFile, addShard);
    await deploy(wrangler, configFile);
    expect(wrangler.changes).toEqual([
      "d1 create signpost-production-shard-7 --env production",
      "d1 migrations apply SHARD_7 --remote --env production",
      expect.stringMatching(/^deploy --tag /),
    ]);
  });

  test("applies only new migrations", async () => {
    const { configFile, wrangler } = start();
    await deploy(wrangler, configFile);
    wrangler.calls.length = 0;
    wrangler.account.databases.forEach(({ sqlite }) => {
      sqlite.exec("DROP TABLE second; DELETE FROM d1_migrations WHERE name = '0001_second.sql'");
    });
    const { lines } = await deploy(wrangler, configFile);
    const { databases } = await readDeclared(configFile);
    expect(lines.filter((line) => line.startsWith("+"))).toEqual(
      databases.map(({ binding }) => `+ migrations of ${binding} (1 applied)`),
    );
  });
});

describe("a failed deployment", () => {
  test("continues from every step at which it can fail, before or after the change", async () => {
    const whole = start(addShard);
    await deploy(whole.wrangler, whole.configFile);
    const { changes } = whole.wrangler;
    const moments: FailureMoment[] = ["before", "after"];
    for (const [moment, index] of moments.flatMap((moment) =>
      changes.map((_, index) => [moment, index] as const),
    )) {
      const { configFile, wrangler } = start(addShard);
      const where = `${moment} ${changes[index]}`;
      wrangler.chooseFailure = () => (wrangler.changes.length === index + 1 ? moment : null);
      const failed = await deploy(wrangler, configFile);
      expect(failed.status, where).toBe(2);
      expect(failed.error, where).toMatch(/^✗ (?:database|bucket|queue|migrations|secrets|Worker) [^\n]*: /u);
      expect(failed.error, where).not.toMatch(/ERROR|Logs were written/);
      expect(failed.error, where).toContain("Run the same command again to continue.");
      const kept = wrangler.account.describe();
      wrangler.chooseFailure = () => null;

      expect((await deploy(wrangler, configFile)).status, where).toBe(0);
      const { databases, buckets, queues, workers } = wrangler.account.describe();
      const expected = whole.wrangler.account.describe();
      expect(
        databases.map(({ name, tables }) => ({ name, tables })),
        where,
      ).toEqual(expected.databases.map(({ name, tables }) => ({ name, tables })));
      expect({ buckets, queues }, where).toEqual({ buckets: expected.buckets, queues: expected.queues });
      expect(databases.slice(0, kept.databases.length), where).toMatchObject(
        kept.databases.map(({ name, uuid }) => ({ name, uuid })),
      );
      expect(workers[0]?.secrets.length, where).toBe(2);
      if (kept.workers[0]?.secrets.length === 2)
        expect(workers[0]?.secrets, where).toEqual(kept.workers[0].secrets);
      expect(wrangler.account.workers.get("signpost-production")?.triggerCount, where).toBeGreaterThan(0);
    }
  });

  test("sets the routes if they failed after the upload", async () => {
    const { configFile, wrangler } = start();
    wrangler.chooseFailure = (args) => (args.startsWith("deploy --tag") ? "after" : null);
    expect((await deploy(wrangler, configFile)).status).toBe(2);
    wrangler.chooseFailure = () => null;
    wrangler.calls.length = 0;
    expect((await deploy(wrangler, configFile)).status).toBe(0);
    expect(wrangler.changes).toEqual(["triggers deploy --env production"]);
  });

  test("has status 1 if it failed before the first change", async () => {
    const { configFile, wrangler } = start();
    wrangler.chooseFailure = (args) => (args.startsWith("r2 bucket info") ? "before" : null);
    wrangler.account.createDatabase("signpost-production");
    for (const { name } of (await readDeclared(configFile)).databases) wrangler.account.createDatabase(name);
    const { status, error } = await deploy(wrangler, configFile);
    expect({ status, changes: wrangler.changes }).toEqual({ status: 1, changes: [] });
    expect(error).toMatch(/^r2 bucket info signpost-production-private: A request/);
  });

  test("accepts resources that a parallel run has just created", async () => {
    const { configFile, wrangler } = start();
    const { databases, queues } = await readDeclared(configFile);
    const { run } = wrangler;
    const racing = Object.assign(Object.create(wrangler), {
      run: async (args: readonly string[], input?: string) => {
        if (args[0] === "deploy") for (const { name } of databases) wrangler.account.createDatabase(name);
        const result = await run(args, input);
        if (args[0] === "queues" && args[1] === "list") {
          for (const { name } of queues) wrangler.account.queues.set(name, null);
        }
        return result;
      },
    }) as FakeWrangler;
    const { status, lines } = await deploy(racing, configFile);
    expect(status).toBe(0);
    expect(lines).toContain(`+ database ${databases[0]?.name} (exists)`);
    expect(lines).toContain("+ queue signpost-production-scans (exists)");
  });
});

test("--dry-run prints the plan and changes nothing", async () => {
  const { configFile, wrangler } = start();
  wrangler.account.buckets.add("signpost-production-public");
  const { status, lines } = await deploy(wrangler, configFile, { isDryRun: true });
  expect({ status, changes: wrangler.changes }).toEqual({ status: 0, changes: [] });
  expect(lines).toEqual(
    expect.arrayContaining([
      "+ bucket signpost-production-private (would be created)",
      "✓ bucket signpost-production-public (exists)",
      "+ queue signpost-production-scans (would be created)",
      expect.stringMatching(/^\+ migrations of \w+ \(2 would be applied\)$/),
      "+ secrets UPLOAD_SECRET, WEBHOOK_KEY (would be generated)",
      "+ Worker signpost-production (would be deployed)",
      "Dry run: nothing was changed.",
    ]),
  );
  await deploy(wrangler, configFile);
  wrangler.calls.length = 0;
  const deployed = await deploy(wrangler, configFile, { isDryRun: true });
  expect(wrangler.changes).toEqual([]);
  expect(deployed.lines.filter((line) => line.startsWith("+"))).toEqual([]);
});

test("a dry run doesn't create the migrations table", async () => {
  const { configFile, wrangler } = start();
  for (const { name } of (await readDeclared(configFile)).databases) wrangler.account.createDatabase(name);
  const former = wrangler.account.describe();
  const { lines } = await deploy(wrangler, configFile, { isDryRun: true });
  expect(lines).toContainEqual(expect.stringMatching(/^\+ migrations of \w+ \(2 would be applied\)$/));
  expect(wrangler.account.describe()).toEqual(former);
});

test("the directory comes before the shards", async () => {
  const directory = `[[env.production.d1_databases]]
binding = "DIRECTORY"
database_name = "signpost-production-directory"
migrations_dir = "sql"
`;
  const { configFile } = start((toml) =>
    /binding = "DIRECTORY"/.test(toml) ? addShard(toml) : `${addShard(toml)}\n${directory}`,
  );
  const bindings = (await readDeclared(configFile)).databases.map(({ binding }) => binding);
  expect(bindings[0]).toBe("DIRECTORY");
  expect(bindings.at(-1)).toBe("SHARD_7");
});
