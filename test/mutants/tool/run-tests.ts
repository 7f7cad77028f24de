import { resolve } from "node:path";
import { createVitest, type TestModule } from "vitest/node";

/**
 * Child process that runs test files again and again in its current folder. Starting vitest anew for each mutant would
 * take three times as long. Its parent sends which files changed and which tests to run.
 */

export interface Order {
  /** Files that are not as they were when tests ran last. */
  changed: readonly string[];
  tests: readonly string[];
}

export interface Verdict {
  outcome: "passed" | "failed" | "broken";
  /** Tests that failed, or errors of files that could not be loaded. */
  failures: string[];
}

// Options that the command line of vitest sets.
process.env.TEST = "true";
process.env.VITEST = "true";
process.env.NODE_ENV ??= "test";
const vitest = await createVitest("test", { watch: false, bail: 1, reporters: [{}] });
await vitest.standalone();

process.on("disconnect", () => process.exit());
process.on("message", async ({ changed, tests }: Order) => {
  for (const file of changed) vitest.invalidateFile(resolve(file));
  let verdict: Verdict = { outcome: "broken", failures: ["no test file is named"] };
  // One after another: after a failure, vitest may cancel another file before it tells what failed.
  for (const test of tests) {
    verdict = await runFile(test);
    if (verdict.outcome !== "passed") break;
  }
  process.send?.(verdict);
});
process.send?.("ready");

async function runFile(test: string): Promise<Verdict> {
  const path = resolve(test);
  const found = await vitest.globTestSpecifications([test]);
  const chosen = found.filter(({ moduleId }) => moduleId === path);
  if (chosen.length === 0) return { outcome: "broken", failures: [`vitest knows no ${test}`] };
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(chosen);
  // Modules of earlier runs are still among them.
  return judgeModules(
    testModules.filter(({ moduleId }) => moduleId === path),
    unhandledErrors,
  );
}

function judgeModules(modules: TestModule[], unhandled: readonly unknown[]): Verdict {
  const failed = modules.flatMap((module) => [...module.children.allTests("failed")]);
  if (failed.length > 0) return { outcome: "failed", failures: failed.map((test) => test.fullName) };
  const errors = [...modules.flatMap((module) => module.errors()), ...unhandled];
  const failures = errors.map((error) => String((error as { message?: unknown }).message));
  const ran = modules.flatMap((module) => [...module.children.allTests("passed")]);
  if (failures.length > 0) return { outcome: ran.length === 0 ? "broken" : "failed", failures };
  return ran.length === 0
    ? { outcome: "broken", failures: ["no test ran"] }
    : { outcome: "passed", failures };
}
