import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { parse } from "smol-toml";
import { defineConfig, type Plugin } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { buildDashboard } from "./src/cli/dashboard-bundle.ts";
import { useTempFolder } from "./test/support/temp-folder.ts";

const isFirst = useTempFolder();

// Secrets that wrangler.toml requires. Wrangler reads them from the environment.
process.env.UPLOAD_SECRET = "upload secret that only tests use";
process.env.WEBHOOK_KEY = "webhook key that only tests use, nothing else";

// The Worker imports the dashboard, which wrangler builds for the other commands.
if (isFirst) await buildDashboard();

interface QueueConsumer {
  queue: string;
  max_batch_size: number;
  max_retries: number;
  dead_letter_queue?: string;
}

const { consumers: queueConsumers } = parse(readFileSync(join(import.meta.dirname, "wrangler.toml"), "utf8"))
  .queues as unknown as { consumers: QueueConsumer[] };

/** Creates the plugin that runs tests in workerd, with the bindings of wrangler.toml. */
function createWorkerdPlugin() {
  return cloudflareTest(async () => ({
    wrangler: { configPath: "./wrangler.toml" },
    miniflare: {
      // A test that waits for a count would otherwise wait 2 seconds for the end of a batch.
      queueConsumers: Object.fromEntries(
        queueConsumers.map((consumer) => [
          consumer.queue,
          {
            maxBatchSize: consumer.max_batch_size,
            maxBatchTimeout: 0.1,
            maxRetries: consumer.max_retries,
            ...(consumer.dead_letter_queue && { deadLetterQueue: consumer.dead_letter_queue }),
          },
        ]),
      ),
      bindings: {
        // Nothing listens there. Tests of domains name the resolver beside them.
        DNS_RESOLVER_URL: "http://127.0.0.1:9/dns-query",
        TEST_MIGRATIONS: {
          directory: await readD1Migrations("./migrations/directory"),
          shard: await readD1Migrations("./migrations/shard"),
        },
      },
    },
  }));
}

/** Constants for which the service waits, with the milliseconds for which it waits in tests, by their files. */
type Waits = Record<string, Record<string, number>>;

/** Waits of all projects but `unit` and `mocking`, which prove the real ones. */
const WAITS: Waits = {
  // Time for which scans are collected before they are sent. `test/unit/window` proves the second.
  "/src/counting/window.ts": { WINDOW_MS: 10 },
  // Time between two publications of changes. `test/unit/feed-edges` proves the quarter of a second.
  "/src/change-feed/local-changes.ts": { GAP_MS: 1 },
};

/** Waits of the project `memory`. It runs two files at a time, so a core would have nothing to do while one of them waits. */
const MEMORY_WAITS: Waits = {
  ...WAITS,
  // Range of the time before a failed call to storage is repeated. `test/worker/retry` proves it.
  "/src/db/retry.ts": { DELAY_MIN_MS: 1, DELAY_MAX_MS: 1 },
};

/**
 * Creates the plugin that replaces these modules of Workers by files, and shortens {@link WAITS} because tests wait until
 * the work after each request has ended. Vitest keeps each transformed module under a key, which has the names of the
 * plugins in it. For this plugin, the key has what it changes in that module instead. So the projects in Node share all
 * modules that it doesn't change.
 */
function createPlugin(modules: Record<string, string>, waits = WAITS): Plugin {
  const findWaits = (id: string) => Object.entries(waits).find(([file]) => id.endsWith(file))?.[1];
  return {
    name: "tests",
    enforce: "pre",
    api: { vitest: { ignoreFsModuleCache: true } },
    configureVitest({ defineCacheKeyGenerator }) {
      defineCacheKeyGenerator(({ id, sourceCode }) =>
        JSON.stringify([findWaits(id), sourceCode.includes("cloudflare:") && modules]),
      );
    },
    resolveId: (source) => modules[source],
    transform(code, id) {
      const found = findWaits(id);
      return found === undefined
        ? null
        : Object.entries(found).reduce(
            (changed, [name, ms]) =>
              changed.replace(new RegExp(`(?<=^const ${name} = )[\\d_]+`, "m"), String(ms)),
            code,
          );
    },
  };
}

// `npm run test:long` repeats each proof more often.
const isLong = process.env.SIGNPOST_LONG_TESTS === "1";

// Fixed seed, so that each run sends the same requests. `npm run fuzz` chooses a seed, and
// `FUZZ_SEED=… npm run fuzz` repeats a failed run.
const fuzz = {
  runs: Number(process.env.FUZZ_RUNS ?? (isLong ? 1_000 : 200)),
  seed: Number(process.env.FUZZ_SEED ?? (process.env.FUZZ_RUNS === undefined ? 1 : Date.now() % 1_000_000)),
};

/** Modules of Workers, and what replaces them in projects without bindings. */
const OBJECTS_ONLY = {
  "cloudflare:workers": join(import.meta.dirname, "test/support/node-durable-object.ts"),
};

/** Modules of Workers, and what replaces them in projects with bindings in memory. */
const WITH_BINDINGS = {
  "cloudflare:workers": join(import.meta.dirname, "test/support/memory-workers.ts"),
  "cloudflare:test": join(import.meta.dirname, "test/support/memory-test.ts"),
};

/** More memory for new objects than by default, which saves a tenth of the processor time of tests in Node. */
const EXEC_ARGV = [
  "--max-semi-space-size=32",
  `--import=${pathToFileURL(join(import.meta.dirname, "test/support/quick-imports.ts"))}`,
];

/**
 * Packages that are bundled for workerd, because each module that it loads is a request to Vitest. They have some 500
 * modules. List every entry point of a package that the service imports, so that they share their classes.
 */
const PACKAGES = [
  ...["@hono/zod-validator", "@modelcontextprotocol/server", "@simplewebauthn/server"],
  ...["@simplewebauthn/server/helpers", "bowser", "drizzle-orm", "drizzle-orm/batch", "drizzle-orm/d1"],
  ...["drizzle-orm/sqlite-core", "drizzle-orm/sqlite-core/query-builders/raw", "fast-check", "hono"],
  ...["hono/cors", "hono/factory", "hono/http-exception", "hono/jsx", "hono/jsx/jsx-dev-runtime"],
  ...["hono/jsx/jsx-runtime", "hono/route", "hono/validator", "isbot", "mmdb-lib", "oauth4webapi"],
  ...["qr", "yaml", "zod"],
];

/** Files that replace modules or globals for their whole process. */
const MOCKING = ["cli-account", "cli-move-progress", "dashboard-stores"].map(
  (name) => `test/node/${name}.test.ts`,
);

/** Files that use Chromium, except for `docs-places`, which mostly waits. */
const BROWSER = ["test/browser/!(docs-places).test.ts", "test/e2e/{assets,docs,provider-sign-in}.test.ts"];

/**
 * Files of `test/worker` that prove rules of the code, such as what a failing statement leaves behind, and nothing of the
 * platform. They run in Node with bindings in memory, in half of the time. The others prove that the code works in
 * workerd: they count what D1 reads and writes, and `round-trips` calls every operation there.
 */
const IN_MEMORY = [
  ...["aliases", "analytics", "apply", "assets", "audit", "auth", "bio", "bulk", "bulk-update", "cdn"],
  ...["change-feed-worker", "dead-letters", "destination-watch", "domain-pages", "domains", "erasure"],
  ...["error-pages", "faults", "host-copies", "idempotency", "input", "invitations", "known-keys"],
  ...["label-analytics", "limits", "link-fields", "link-guards", "link-lists", "links", "list-bytes"],
  ...["mcp", "move-times", "operations", "passkeys", "password-tries", "people", "people-audit"],
  ...["people-operations", "provider-sign-in", "qr", "qr-templates", "redirect", "redirect-faults"],
  ...["redirect-freshness", "reports", "roll-ups", "safety", "scans", "scim", "shard-statements", "status"],
  ...["sweeps", "tenancy", "transport", "trash", "unknown-limit", "unknown-look-ups", "upsert"],
  ...["webhook-bounds", "webhook-deliveries", "webhook-edges", "webhook-events", "webhooks"],
  ...["workspace", "workspace-moves", "workspace-transfer", "write-through"],
].map((name) => `test/worker/${name}.test.ts`);

/**
 * Files that start first in their project, because they take longest. Projects that only compute need no such order, but
 * `webhook-edges` would wait for attempts at endpoints that hang, which other files of its process leave for ten seconds.
 * Two of the first four files of `node` compute, because the other two mostly wait.
 */
const LONGEST = [
  "worker/webhook-edges",
  "worker/link-list-costs",
  "worker/lists",
  "worker/fuzz",
  "worker/move-under-load",
  "browser/dashboard-screens",
  "e2e/first-session",
  "node/print-sheets",
  "node/qr-pdf",
  "e2e/crash",
  "e2e/tools",
  "browser/bio",
  "browser/dashboard-keyboard",
  "browser/docs-places",
  "e2e/provider-sign-in",
  "node/cli-deploy-wrangler",
  "e2e/demo",
  "e2e/assets",
  "browser/docs",
  "browser/dashboard-phone",
  "browser/error-pages",
  "e2e/docs",
  "node/qr-logos",
  "node/cli-usage",
];

/**
 * Projects that run first, in one process for each of two cores, because each process loads and compiles the service's code
 * again, or starts a Chromium that compiles the dashboard. Once a project has no files left, the next project starts on the
 * free core. While one of these tests waits, the checks of `npm test` use its core.
 */
const TWO_PROCESSES = { maxWorkers: 2, sequence: { groupOrder: 0 } };

/**
 * Projects that run afterwards in four processes. Most of their tests wait for services; the three short files of `mocking`
 * run at the end. All projects of a group have the same number of processes.
 */
const FOUR_PROCESSES = { sequence: { groupOrder: 1 } };

/** Projects in the order in which they run. */
const PROJECTS = ["worker", "memory", "unit", "components", "browser", "node", "mocking"];

/**
 * Order of the files: by project, because Vitest keeps a process and its loaded modules only for the next file in this
 * order, and within a project the longest ones first.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const getRank = ({ moduleId, project }: TestSpecification) => {
      const place = LONGEST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
      return PROJECTS.indexOf(project.name) + (place < 0 ? LONGEST.length : place) / 100;
    };
    return (await super.sort(files)).toSorted((one, other) => getRank(one) - getRank(other));
  }
}

/** Options of projects whose tests start services. */
const WITH_SERVICES = {
  execArgv: EXEC_ARGV,
  provide: { isLong },
  globalSetup: ["./test/support/service.setup.ts", "./test/support/receiver.setup.ts"],
  // The files leave nothing behind in their process, and share Chromium and a service.
  isolate: false,
  testTimeout: 150_000,
  hookTimeout: 150_000,
  // A browser or a started service may be slow on a busy machine.
  expect: { poll: { timeout: 20_000, interval: 25 } },
};

export default defineConfig({
  test: {
    // Tests of services mostly wait for them and for queues, so four parallel files suit two cores.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        plugins: [createPlugin(OBJECTS_ONLY, {})],
        // Tests of pure files keep no state, so the files share their processes.
        test: {
          name: "unit",
          ...TWO_PROCESSES,
          execArgv: EXEC_ARGV,
          include: ["test/unit/**/*.test.ts"],
          provide: { isLong },
          setupFiles: ["./test/support/unit.setup.ts"],
          isolate: false,
          testTimeout: 60_000,
        },
      },
      {
        plugins: [createWorkerdPlugin(), createPlugin({})],
        test: {
          name: "worker",
          ...TWO_PROCESSES,
          deps: { optimizer: { ssr: { enabled: true, include: PACKAGES } } },
          include: ["test/worker/**/*.test.ts"],
          exclude: IN_MEMORY,
          provide: { isLong, fuzz },
          setupFiles: ["./test/support/worker.setup.ts"],
          globalSetup: ["./test/support/receiver.setup.ts", "./test/support/dns-resolver.setup.ts"],
          // Files share an isolate and its databases, because a start costs seconds.
          isolate: false,
          // Long, for a busy machine.
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        plugins: [createPlugin(OBJECTS_ONLY)],
        test: { name: "browser", ...TWO_PROCESSES, ...WITH_SERVICES, include: BROWSER },
      },
      {
        plugins: [createPlugin(OBJECTS_ONLY)],
        test: {
          name: "node",
          ...FOUR_PROCESSES,
          ...WITH_SERVICES,
          include: ["test/{node,e2e,browser}/**/*.test.ts"],
          exclude: [...BROWSER, ...MOCKING],
        },
      },
      {
        plugins: [createPlugin(WITH_BINDINGS, MEMORY_WAITS)],
        test: {
          name: "memory",
          ...TWO_PROCESSES,
          execArgv: EXEC_ARGV,
          include: IN_MEMORY,
          provide: { isLong, fuzz },
          setupFiles: ["./test/support/worker.setup.ts"],
          globalSetup: ["./test/support/receiver.setup.ts", "./test/support/dns-resolver.setup.ts"],
          // Files share the bindings in memory, as they share an isolate in workerd.
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        plugins: [createPlugin(OBJECTS_ONLY)],
        test: {
          name: "components",
          ...TWO_PROCESSES,
          execArgv: EXEC_ARGV,
          include: ["test/components/**/*.test.ts"],
          environment: "./test/support/component-environment.ts",
          setupFiles: ["./test/support/component-setup.ts"],
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 20_000, interval: 20 } },
        },
      },
      {
        plugins: [createPlugin(OBJECTS_ONLY, {})],
        test: { name: "mocking", ...FOUR_PROCESSES, include: MOCKING, execArgv: EXEC_ARGV },
      },
    ],
  },
});
