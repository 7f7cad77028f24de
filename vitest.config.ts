import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";

// The Worker's secrets, of no worth: wrangler.toml requires them, and wrangler looks for them here.
process.env.UPLOAD_SECRET = "the upload secret of the tests, and of nothing else";
process.env.WEBHOOK_KEY = "the webhook key of the tests, and of nothing else";

/** Tests in workerd, with the bindings of wrangler.toml. */
function inWorkerd() {
  return cloudflareTest(async () => ({
    wrangler: { configPath: "./wrangler.toml" },
    miniflare: { bindings: { TEST_MIGRATIONS: await readD1Migrations("./migrations") } },
  }));
}

// The same requests every time, but in `npm run fuzz`; `FUZZ_SEED=… npm run fuzz` makes those of a run that failed again.
const fuzz = {
  runs: Number(process.env.FUZZ_RUNS ?? 2_000),
  seed: Number(process.env.FUZZ_SEED ?? (process.env.FUZZ_RUNS === undefined ? 1 : Date.now() % 1_000_000)),
};

export default defineConfig({
  test: {
    // Most of what the tests do is wait for services and queues, so three files at once suit two cores.
    maxWorkers: 3,
    projects: [
      {
        plugins: [inWorkerd()],
        // Pure: they leave nothing behind that another file could trip over, so they share one worker.
        test: { name: "unit", include: ["test/unit/**/*.test.ts"], isolate: false },
      },
      {
        plugins: [inWorkerd()],
        test: {
          name: "worker",
          provide: {
            fuzz,
          },
          include: ["test/worker/**/*.test.ts"],
          setupFiles: ["./test/support/migrate.ts"],
          globalSetup: ["./test/support/receiver.setup.ts"],
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: "node",
          include: ["test/node/**/*.test.ts", "test/browser/**/*.test.ts", "test/e2e/**/*.test.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
