import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import type { LogLevel } from "@stryker-mutator/api/core";
import { Stryker } from "@stryker-mutator/core";
import { useTables } from "./by-hand.ts";
import { addMutators } from "./mutators.ts";

/** Entry point of `npm run mutants`. CONTRIBUTING.md says how to use it. */
const { values, positionals } = parseArgs({
  options: {
    "by-hand": { type: "boolean", default: false },
    changed: { type: "string" },
    incremental: { type: "boolean", default: false },
    tests: { type: "string", multiple: true },
  },
  allowPositionals: true,
});
const { mutate, testFiles } = values["by-hand"] ? await useTables(positionals) : useGenerator();
if (mutate.length === 0) throw new Error("name folders or files, or --changed and a commit with other lines");
const folders = new Set(testFiles?.map((path) => /\/(\w+)/.exec(path)?.[1]) ?? ["unit"]);
process.env.MUTANTS_FOLDERS = [...folders].join("|");

const results = await new Stryker({
  mutate,
  ...(testFiles !== undefined && { testFiles }),
  // Only test files that import a mutated file. Tests of the Worker import all of it.
  vitest: { related: testFiles === undefined },
  // Nearly all texts that may change unnoticed are messages, and no test should repeat those.
  mutator: { excludedMutations: values["by-hand"] ? [] : ["StringLiteral"] },
  plugins: [join(import.meta.dirname, "runner.ts")],
  testRunner: "kept-vitest",
  // Long, for a busy machine. A mutant that takes too long counts as noticed.
  timeoutMS: 30_000,
  dryRunTimeoutMinutes: 20,
  incremental: values.incremental,
  incrementalFile: `node_modules/.cache/mutants/${[...folders].join("-")}.json`,
  // These two prepare files for a check of types, with functions that TypeScript 7 does not have.
  tsconfigFile: "none",
  disableTypeChecks: false,
  ignorePatterns: ["dist", ".wrangler", ".signpost"],
  tempDirName: "dist/mutants",
  reporters: ["progress-append-only", "clear-text"],
  clearTextReporter: { reportMutants: false, reportTests: false },
  logLevel: "error" as LogLevel,
}).runMutationTest();

for (const { status, fileName, location, mutatorName, replacement = "" } of results) {
  if (status !== "Survived") continue;
  const { start, end } = location;
  const line = readFileSync(fileName, "utf8").split("\n")[start.line - 1] ?? "";
  const before = line.slice(start.column - 1, end.line === start.line ? end.column - 1 : undefined);
  const after = replacement.replace(/\s+/g, " ");
  console.log(`${relative("", fileName)}:${start.line}  ${before}  →  ${after}  (${mutatorName})`);
}

function useGenerator(): { mutate: string[]; testFiles: string[] | undefined } {
  addMutators();
  const paths = positionals.map((path) => (statSync(path).isDirectory() ? `${path}/**/*.{ts,tsx}` : path));
  const lines = values.changed === undefined ? [] : findChangedLines(values.changed);
  return { mutate: [...paths, ...lines], testFiles: values.tests?.map((path) => `${path}*{,/**}`) };
}

/** Returns the lines that were added since a commit, in the form of Stryker. */
function findChangedLines(commit: string): string[] {
  const args = ["diff", "-U0", "--merge-base", commit, "--", "src/*.ts", "src/*.tsx"];
  const lines = execFileSync("git", args, { encoding: "utf8" }).split("\n");
  let file = "";
  return lines.flatMap((line) => {
    if (line.startsWith("+++ b/")) file = line.slice("+++ b/".length);
    const [, start, count = 1] = /^@@ .* \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    return start && Number(count) ? `${file}:${start}-${Number(start) + Number(count) - 1}` : [];
  });
}
