import { readdirSync } from "node:fs";

/**
 * `npm run bench` runs every benchmark, `npm run bench -- qr` the one in `qr.bench.ts`. A benchmark's default export
 * measures, prints its table and says which targets hold.
 */
const SUFFIX = ".bench.ts";
const names = readdirSync(import.meta.dirname).flatMap((file) =>
  file.endsWith(SUFFIX) ? [file.slice(0, -SUFFIX.length)] : [],
);
const chosen = process.argv.length > 2 ? process.argv.slice(2) : names;

for (const name of chosen) {
  if (!names.includes(name)) throw new Error(`no benchmark ${name}; there are: ${names.join(", ")}`);
  const { default: run }: { default: () => Promise<void> } = await import(`./${name}${SUFFIX}`);
  await run();
}
