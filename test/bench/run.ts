import { readdirSync } from "node:fs";
import { parseArgs } from "node:util";

/**
 * Entry point of `npm run bench`, which runs all benchmarks. `npm run bench -- qr` only runs `qr.bench.ts`, and
 * `npm run bench -- neighbours 4 7` only two of its rows.
 * The default export of a benchmark measures, prints the results and compares them with its targets.
 */
const SUFFIX = ".bench.ts";

/** Options of the command, as texts. Benchmarks ignore options of others. */
export interface BenchOptions {
  /** Minutes of load, for `one-machine`. */
  minutes?: string;
  /** Maximum number of redirects a second, for `one-machine`. */
  rate?: string;
  /** Rows to measure, for `neighbours`. Empty for all. */
  rows: number[];
  /** Part to run, `growth` for `cost`. */
  only?: string;
}

const names = readdirSync(import.meta.dirname).flatMap((file) =>
  file.endsWith(SUFFIX) ? [file.slice(0, -SUFFIX.length)] : [],
);
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: "string" }, rate: { type: "string" }, only: { type: "string" } },
});

const isRow = (argument: string) => /^\d+$/.test(argument);
const rows = positionals.filter(isRow).map(Number);
const chosen = positionals.filter((argument) => !isRow(argument));

for (const name of chosen.length > 0 ? chosen : names) {
  if (!names.includes(name)) throw new Error(`unknown benchmark ${name}; benchmarks are ${names.join(", ")}`);
  const { default: run }: { default: (options: BenchOptions) => Promise<void> } = await import(
    `./${name}${SUFFIX}`
  );
  await run({ ...values, rows });
}
