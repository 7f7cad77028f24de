import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";

// The Worker's secrets, of no worth: wrangler.toml requires them, and wrangler looks for them here.
process.env.UPLOAD_SECRET = "the upload secret of the tests, and of nothing else";
process.env.WEBHOOK_KEY = "the webhook key of the tests, and of nothing else";

export default defineConfig({
  test: {
    projects: [
      {
        plugins: [
          cloudflareTest(async () => ({
            wrangler: { configPath: "./wrangler.toml" },
            miniflare: { bindings: { TEST_MIGRATIONS: await readD1Migrations("./migrations") } },
          })),
        ],
        test: {
          name: "worker",
          include: ["test/**/*.test.ts"],
          exclude: ["test/e2e/**", "test/node/**"],
          setupFiles: ["./test/support/migrate.ts"],
          globalSetup: ["./test/support/receiver.setup.ts"],
        },
      },
      {
        test: {
          name: "node",
          include: ["test/node/**/*.test.ts", "test/e2e/**/*.test.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
