import { parseArgs } from "node:util";
import { readRooms } from "./mutant.ts";
import { formatResult, formatScores, isGood, type Result } from "./score.ts";
import { chooseMutants, type Numbered } from "./selection.ts";
import { TestSession } from "./test-session.ts";
import { TreeCopy } from "./tree-copy.ts";

/**
 * Entry point of `npm run mutants`: puts each mutant into a copy of the source, one at a time, and tells which of them the
 * tests notice. `npm run mutants -- links qr 3` takes the room links and the third mutant of qr, `--parallel 2` works
 * in two copies.
 */
const { values, positionals } = parseArgs({
  options: { parallel: { type: "string", default: "1" } },
  allowPositionals: true,
});
const waiting = chooseMutants(await readRooms(), positionals);
const results: Result[] = [];
/** Test files that pass without a mutant. */
const passing = new Set<string>();
const cleanUps: (() => void)[] = [];

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit(1));
process.on("exit", () => {
  for (const cleanUp of cleanUps) cleanUp();
});

await Promise.all(Array.from({ length: Math.max(1, Number(values.parallel)) }, work));
console.log(`\n${formatScores(results)}`);
process.exit(isGood(results) ? 0 : 1);

/** Takes mutants from the list until none is left. */
async function work(): Promise<void> {
  const copy = new TreeCopy();
  const session = new TestSession(copy);
  cleanUps.push(() => {
    session.stop();
    copy.remove();
  });
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    await requirePassing(session, next.mutant.tests);
    const result = await tryMutant(copy, session, next);
    results.push(result);
    console.log(formatResult(result));
  }
}

/** Throws unless tests pass in the copy as it is: what fails without a mutant notices none. */
async function requirePassing(session: TestSession, tests: readonly string[]): Promise<void> {
  const unknown = tests.filter((test) => !passing.has(test));
  if (unknown.length === 0) return;
  const { outcome, failures } = await session.run(unknown);
  if (outcome !== "passed") throw new Error(`${unknown.join(", ")} fail without a mutant: ${failures[0]}`);
  for (const test of unknown) passing.add(test);
}

async function tryMutant(copy: TreeCopy, session: TestSession, numbered: Numbered): Promise<Result> {
  const { mutant } = numbered;
  const restore = copy.apply(mutant);
  session.markChanged(mutant.file);
  try {
    return { ...numbered, verdict: await session.run(mutant.tests) };
  } finally {
    restore();
    session.markChanged(mutant.file);
  }
}
