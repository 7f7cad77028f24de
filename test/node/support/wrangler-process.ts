import { readFileSync } from "node:fs";
import Module from "node:module";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { WRANGLER } from "../../../src/cli/wrangler.ts";

/**
 * Process that loads wrangler once and runs its commands one after another, because loading takes more than a second of
 * CPU time and a command a tenth of it. Receives arguments and standard input, and sends the outputs.
 */

interface Wrangler extends Module {
  _compile(code: string, file: string): void;
  paths: string[];
  exports: { main(argv: string[]): Promise<void> };
}

const RUNS_AS_COMMAND = 'typeof vitest === "undefined" && __require.main === module';
const file = join(dirname(WRANGLER), "../wrangler-dist/cli.js");
const code = readFileSync(file, "utf8");
if (!code.includes(RUNS_AS_COMMAND)) throw new Error("wrangler begins in another way than this file expects");
const wrangler = new Module(file) as Wrangler;
wrangler.filename = file;
wrangler.paths = (Module as unknown as { _nodeModulePaths(folder: string): string[] })._nodeModulePaths(
  dirname(file),
);
wrangler._compile(code.replace(RUNS_AS_COMMAND, "exports.main = main, false"), file);

// Wrangler closes the channel at the end of a command.
process.disconnect = () => {};

process.on("message", async ({ args, input }: { args: string[]; input: string }) => {
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    process[name].write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
      output[name] += chunk;
      const done = rest.at(-1);
      if (typeof done === "function") done();
      return true;
    };
  }
  Object.defineProperty(process, "stdin", { value: Readable.from([input]), configurable: true });
  const ok = await wrangler.exports.main(args).then(
    () => process.exitCode === undefined || process.exitCode === 0,
    () => false,
  );
  process.exitCode = 0;
  process.send?.({ ok, ...output });
});
