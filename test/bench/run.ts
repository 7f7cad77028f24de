import { readdirSync } from "node:fs";
import { parseArgs } from "node:util";

/**
 * Entry point of `npm run bench`, which runs all benchmarks. `npm run bench -- qr` only runs `qr.bench.ts`.
 * The default export of a benchmark measures, prints the results and compares them with its targets.
 */
const SUFFIX = ".bench.ts";

/** Options of the command, as texts. Benchmarks ignore options of others. */
export interface BenchOptions {
  /** Minutes of load, for `one-machine`. */
  minutes?: string;
  /** Maximum number of redirects a second, for `one-machine`. */
  rate?: string;
  /** Part to run: `growth` for `cost`, or rows such as `1,4` for `neighbours`. */
  only?: string;
  /** Milliseconds of a round trip to a database, for `neighbours`. */
  roundtrip?: string;
}

const names = readdirSync(import.meta.dirname).flatMap((file) =>
  file.endsWith(SUFFIX) ? [file.slice(0, -SUFFIX.length)] : [],
);
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: "string" },
    rate: { type: "string" },
    only: { type: "string" },
    roundtrip: { type: "string" },
  },
});

for (const name of positionals.length > 0 ? positionals : names) {
  if (!names.includes(name)) throw new Error(`unknown benchmark ${name}; benchmarks are ${names.join(", ")}`);
  const { default: run }: { default: (options: BenchOptions) => Promise<void> } = await import(
    `./${name}${SUFFIX}`
  );
  await run(values);
}
