import { execFile, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { PROJECT } from "./state.ts";

const require = createRequire(import.meta.url);

/** Path of the project's wrangler, a Node script. */
export const WRANGLER = join(dirname(require.resolve("wrangler/package.json")), "bin/wrangler.js");

/** Environment variables that turn off wrangler's prompts and metrics. */
export const WRANGLER_ENV = { ...process.env, WRANGLER_SEND_METRICS: "false", CI: "true" };

const OUTPUT_MAX_BYTES = 64 * 1_048_576;

/** Result of running wrangler. */
export interface WranglerResult {
  ok: boolean;
  stdout: string;
  stderr: string;
}

/** Runs wrangler until it exits. `input` is its standard input, hidden from other processes unlike `args`. */
export function runWrangler(args: readonly string[], input = "", folder = PROJECT): Promise<WranglerResult> {
  return new Promise((resolve) => {
    const options = { cwd: folder, env: WRANGLER_ENV, maxBuffer: OUTPUT_MAX_BYTES };
    const child = execFile(process.execPath, [WRANGLER, ...args], options, (error, stdout, stderr) => {
      resolve({ ok: error === null, stdout, stderr });
    });
    // If wrangler fails before reading its input, the pipe closes. The exit status reports the failure.
    child.stdin?.on("error", () => {});
    child.stdin?.end(input);
  });
}

/** Runs wrangler on this process's terminal, so that it can prompt the user. Doesn't capture its output. */
export function runWranglerOnTerminal(args: readonly string[]): Promise<WranglerResult> {
  const { CI: _, ...env } = WRANGLER_ENV;
  return new Promise((resolve) => {
    spawn(process.execPath, [WRANGLER, ...args], { cwd: PROJECT, env, stdio: "inherit" }).once(
      "exit",
      (status) => resolve({ ok: status === 0, stdout: "", stderr: "" }),
    );
  });
}

/** Matches lines that wrangler adds to every error. */
const ERROR_ADVICE = /^ *(?:🪵|If you think this is a bug|To learn more about this error).*$/gmu;

/**
 * Extracts the error message of a failed run. With `--json`, wrangler writes the message to stdout, as JSON
 * or text.
 */
export function extractErrorMessage({ stdout, stderr }: WranglerResult): string {
  try {
    const { error } = JSON.parse(stdout);
    return error?.notes?.[0]?.text ?? error?.text ?? stdout;
  } catch {
    const text = stripVTControlCharacters(stderr.trim() || stdout.trim());
    return text
      .replace(/^.*\[ERROR\]\s*/s, "")
      .replace(ERROR_ADVICE, "")
      .trim();
  }
}
