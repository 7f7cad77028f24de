import type { Verdict } from "./run-tests.ts";
import type { Numbered } from "./selection.ts";

/** Share of the mutants that change anything which the tests should notice. */
export const TARGET_SHARE = 0.95;

export interface Result extends Numbered {
  verdict: Verdict;
}

/** Verdict of the tests on a mutant. `wrong` is a mistake in its table. */
export type Outcome = "killed" | "survived" | "equivalent" | "wrong";

/** Judges a mutant by the tests that ran with it. A mutant that no file can load would be noticed by any test. */
export function judge({ mutant, verdict }: Result): Outcome {
  if (verdict.outcome === "broken") return "wrong";
  const isKilled = verdict.outcome === "failed";
  if (mutant.equivalent !== undefined) return isKilled ? "wrong" : "equivalent";
  if (isKilled) return mutant.unseen === undefined ? "killed" : "wrong";
  return "survived";
}

/** Formats the result of one mutant, with what to do about it if it was not noticed. */
export function formatResult(result: Result): string {
  const { room, number, mutant, verdict } = result;
  const outcome = judge(result);
  const change = `${mutant.search.trim()}  →  ${mutant.replacement.trim() || "(nothing)"}`;
  const line = `${outcome.padEnd(10)} ${`${room} ${number}`.padEnd(14)} ${mutant.file}: ${change}`;
  const reason = mutant.equivalent ?? mutant.unseen;
  if (outcome === "wrong") return `${line}\n           noticed or broken: ${verdict.failures[0]}`;
  return outcome === "killed"
    ? line
    : `${line}\n           ${reason ?? `not noticed by ${mutant.tests.join(", ")}`}`;
}

/** Formats the score of each room and of all. */
export function formatScores(results: readonly Result[]): string {
  const rooms = [...new Set(results.map(({ room }) => room))].sort();
  const rows = rooms.map((room) =>
    formatScore(
      room,
      results.filter((result) => result.room === room),
    ),
  );
  return [...rows, formatScore("all", results)].join("\n");
}

/** Returns true if enough mutants were noticed, and each other one has its reason. */
export function isGood(results: readonly Result[]): boolean {
  const isExplained = (result: Result) => judge(result) !== "survived" || result.mutant.unseen !== undefined;
  return (
    results.every((result) => judge(result) !== "wrong" && isExplained(result)) &&
    computeShare(results) >= TARGET_SHARE
  );
}

function formatScore(name: string, results: readonly Result[]): string {
  const count = (outcome: Outcome) => results.filter((result) => judge(result) === outcome).length;
  const wrong = count("wrong") === 0 ? "" : `, ${count("wrong")} wrong in the table`;
  const counts = `${count("killed")} killed, ${count("survived")} survived, ${count("equivalent")} equivalent${wrong}`;
  return `${name.padEnd(12)} ${String(results.length).padStart(4)} mutants: ${counts}; ${(100 * computeShare(results)).toFixed(1)} %`;
}

function computeShare(results: readonly Result[]): number {
  const killed = results.filter((result) => judge(result) === "killed").length;
  const survived = results.filter((result) => judge(result) === "survived").length;
  return killed + survived === 0 ? 1 : killed / (killed + survived);
}
