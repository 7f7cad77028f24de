import { execFileSync } from "node:child_process";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";

// Secrets that wrangler.toml requires. Wrangler reads them from the environment.
process.env.UPLOAD_SECRET = "upload secret that only tests use";
process.env.WEBHOOK_KEY = "webhook key that only tests use, nothing else";

// The Worker imports the dashboard, which wrangler builds for the other commands.
execFileSync(process.execPath, ["src/cli/build-dashboard.ts"], {
  cwd: import.meta.dirname,
  stdio: "inherit",
});

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
  runs: Number(process.env.FUZZ_RUNS ?? 2_000),
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
  "shard-statements",
  "sweeps",
  "unknown-limit",
  "webhook-bounds",
  "webhook-deliveries",
  "webhook-events",
  "workspace-moves",
].map((name) => `test/worker/${name}.test.ts`);

const worker = {
  provide: { fuzz },
  setupFiles: ["./test/support/migrate.ts"],
  globalSetup: ["./test/support/receiver.setup.ts", "./test/support/dns-resolver.setup.ts"],
  testTimeout: 30_000,
};

export default defineConfig({
  test: {
    // Tests mostly wait for services and queues, so four parallel files suit two cores.
    maxWorkers: 4,
    projects: [
      {
        plugins: [createWorkerdPlugin()],
        // Tests of pure files keep no state, so they share one worker.
        test: { name: "unit", include: ["test/unit/**/*.test.ts"], isolate: false, testTimeout: 30_000 },
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
          testTimeout: 150_000,
          hookTimeout: 150_000,
        },
      },
    ],
  },
});
