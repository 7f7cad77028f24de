import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { PROJECT } from "./state.ts";

const require = createRequire(import.meta.url);

/** The wrangler that this project pins, to be run with this Node. */
export const WRANGLER = join(dirname(require.resolve("wrangler/package.json")), "bin/wrangler.js");

/** Environment for wrangler: no questions, no metrics. */
export const WRANGLER_ENV = { ...process.env, WRANGLER_SEND_METRICS: "false", CI: "true" };

const OUTPUT_MAX_BYTES = 64 * 1_048_576;

/** What a run of wrangler came to. */
interface WranglerRun {
  ok: boolean;
  stdout: string;
  stderr: string;
}

/** Runs wrangler to its end. */
export function runWrangler(args: readonly string[]): Promise<WranglerRun> {
  return new Promise((done) => {
    const options = { cwd: PROJECT, env: WRANGLER_ENV, maxBuffer: OUTPUT_MAX_BYTES };
    execFile(process.execPath, [WRANGLER, ...args], options, (error, stdout, stderr) => {
      done({ ok: error === null, stdout, stderr });
    });
  });
}
