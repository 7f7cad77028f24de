import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { PROJECT } from "./state.ts";

const require = createRequire(import.meta.url);

/** Path of the project's own wrangler, a script for Node. */
export const WRANGLER = join(dirname(require.resolve("wrangler/package.json")), "bin/wrangler.js");

/** Environment variables for wrangler: without prompts and metrics. */
export const WRANGLER_ENV = { ...process.env, WRANGLER_SEND_METRICS: "false", CI: "true" };

const OUTPUT_MAX_BYTES = 64 * 1_048_576;

/** Result of a run of wrangler. */
interface WranglerResult {
  ok: boolean;
  stdout: string;
  stderr: string;
}

/** Runs wrangler until it exits. */
export function runWrangler(args: readonly string[]): Promise<WranglerResult> {
  return new Promise((resolve) => {
    const options = { cwd: PROJECT, env: WRANGLER_ENV, maxBuffer: OUTPUT_MAX_BYTES };
    execFile(process.execPath, [WRANGLER, ...args], options, (error, stdout, stderr) => {
      resolve({ ok: error === null, stdout, stderr });
    });
  });
}
