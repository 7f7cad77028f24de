import { readdirSync } from "node:fs";

/**
 * Entry point of `npm run bench`, which runs all benchmarks. `npm run bench -- qr` only runs `qr.bench.ts`.
 * The default export of a benchmark measures, prints the results and compares them with its targets.
 */
const SUFFIX = ".bench.ts";
const names = readdirSync(import.meta.dirname).flatMap((file) =>
  file.endsWith(SUFFIX) ? [file.slice(0, -SUFFIX.length)] : [],
);
const chosen = process.argv.length > 2 ? process.argv.slice(2) : names;

for (const name of chosen) {
  if (!names.includes(name)) throw new Error(`unknown benchmark ${name}; benchmarks are ${names.join(", ")}`);
  const { default: run }: { default: () => Promise<void> } = await import(`./${name}${SUFFIX}`);
  await run();
}
