import { join } from "node:path";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { buildDashboard } from "./src/cli/dashboard-bundle.ts";
import { useTempFolder } from "./test/support/temp-folder.ts";

useTempFolder();

// Secrets that wrangler.toml requires. Wrangler reads them from the environment.
process.env.UPLOAD_SECRET = "upload secret that only tests use";
process.env.WEBHOOK_KEY = "webhook key that only tests use, nothing else";

// The Worker imports the dashboard, which wrangler builds for the other commands.
await buildDashboard();

/** Creates the plugin that runs tests in workerd, with the bindings of wrangler.toml. */
function createWorkerdPlugin() {
  return cloudflareTest(async () => ({
    wrangler: { configPath: "./wrangler.toml" },
    miniflare: {
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

// Fixed seed, so that each run sends the same requests. `npm run fuzz` chooses a seed, and
// `FUZZ_SEED=… npm run fuzz` repeats a failed run.
const fuzz = {
  runs: Number(process.env.FUZZ_RUNS ?? 1_000),
  seed: Number(process.env.FUZZ_SEED ?? (process.env.FUZZ_RUNS === undefined ? 1 : Date.now() % 1_000_000)),
};

/**
 * Files whose tests need an isolate and databases of their own: they count all rows of a database, break a binding for
 * the whole isolate, or depend on what its memory does not hold yet. The others share theirs, because a start costs
 * seconds.
 */
const ALONE = [
  "change-feed-worker",
  "dead-letters",
  "erasure",
  "faults",
  "fuzz",
  "fuzz-visits",
  "hosts",
  "move-under-load",
  "redirect-faults",
  "redirect-freshness",
  "roll-ups",
  "scan-costs",
  "scans",
  "sweeps",
  "webhook-bounds",
  "webhook-deliveries",
  "webhook-events",
  "workspace-moves",
].map((name) => `test/worker/${name}.test.ts`);

/** Files that take longest. They start first, so that none of them runs alone at the end. */
const LONGEST = [
  "worker/workspace-moves",
  "worker/faults",
  "node/cli-deploy-wrangler",
  "worker/fuzz",
  "browser/bio",
  "browser/dashboard",
  "browser/dashboard-charts",
  "browser/dashboard-import",
  "browser/dashboard-link-panel",
  "browser/dashboard-pages",
  "browser/dashboard-qr",
  "browser/dashboard-walk",
  "browser/dashboard-webhooks",
  "e2e/tools",
  "browser/dashboard-assets",
  "browser/docs-places",
  "browser/docs",
  "e2e/first-session",
  "e2e/docs",
  "e2e/scans-crash",
  "e2e/demo",
  "e2e/crash",
  "e2e/webhooks",
  "node/qr-logos",
  "e2e/dead-letters",
  "node/cli-usage",
];

/** Order of the files: the longest first, then as Vitest orders them. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const getRank = ({ moduleId }: TestSpecification) => {
      const rank = LONGEST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
      return rank < 0 ? LONGEST.length : rank;
    };
    return (await super.sort(files)).toSorted((one, other) => getRank(one) - getRank(other));
  }
}

const worker = {
  provide: { fuzz },
  setupFiles: ["./test/support/migrate.ts"],
  globalSetup: ["./test/support/receiver.setup.ts", "./test/support/dns-resolver.setup.ts"],
  // Long, for a busy machine.
  testTimeout: 60_000,
  hookTimeout: 60_000,
};

export default defineConfig({
  test: {
    // Tests mostly wait for services and queues, so four parallel files suit two cores.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        resolve: {
          alias: { "cloudflare:workers": join(import.meta.dirname, "test/support/node-durable-object.ts") },
        },
        // Tests of pure files keep no state, so they share one worker.
        test: { name: "unit", include: ["test/unit/**/*.test.ts"], isolate: false, testTimeout: 60_000 },
      },
      {
        plugins: [createWorkerdPlugin()],
        test: {
          ...worker,
          name: "worker",
          include: ["test/worker/**/*.test.ts"],
          exclude: ALONE,
          isolate: false,
        },
      },
      {
        plugins: [createWorkerdPlugin()],
        test: { ...worker, name: "alone", include: ALONE },
      },
      {
        test: {
          name: "node",
          include: ["test/node/**/*.test.ts", "test/browser/**/*.test.ts", "test/e2e/**/*.test.ts"],
          globalSetup: ["./test/support/service.setup.ts"],
          testTimeout: 150_000,
          hookTimeout: 150_000,
          // What a browser or a started service shows may take long on a busy machine.
          expect: { poll: { timeout: 20_000 } },
        },
      },
    ],
  },
});
