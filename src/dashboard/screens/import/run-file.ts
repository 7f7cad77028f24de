import { batch, effect } from "@preact/signals";
import type { ImportPlan } from "../../../client/import/plan-import.ts";
import type { RunOptions } from "../../../client/import/run-import.ts";
import { path } from "../../address/address.ts";
import { announce, showToast } from "../../components/toast-list.ts";
import { saveFile } from "../../data/save-file.ts";
import { createIndexFinder, mergeResult } from "./import-results.ts";
import {
  importWork,
  job,
  loadEngine,
  planFault,
  plannedFile,
  showResults,
  summary,
  totals,
} from "./import-store.ts";
import { describeSummary } from "./summary-texts.ts";

/** Minimum time between two progress updates, because each update counts all rows. */
const SHOW_MS = 120;

/** Runs the import. A further run only tries the rows that failed or weren't reached. */
export async function startImport(): Promise<void> {
  const planned = plannedFile.peek();
  const { target } = job;
  if (planned === null || target === null || importWork.peek() !== null) return;
  const current = job;
  current.abort = new AbortController();
  const { signal } = current.abort;
  summary.value = null;
  planFault.value = null;
  importWork.value = { kind: "running", done: 0, total: planned.plan.counts.create, isStopping: false };
  try {
    const { planFurther, runPlan } = await loadEngine();
    const isFurther = current.results.length > 0;
    const plan = isFurther ? await planFurther(target, planned.plan, current.results) : planned.plan;
    if (current !== job) return;
    plannedFile.value = { ...planned, plan };
    const end = await runPlan(target, plan, { signal, ...followRun(plan) });
    if (current === job) summary.value = end;
  } catch (thrown) {
    if (current === job) planFault.value = thrown;
  }
  if (current === job) finishRun();
}

/** Returns the callbacks of a run. They collect its results and show its progress. */
function followRun(plan: ImportPlan): Pick<RunOptions, "onResult" | "onProgress"> {
  const { results, abort } = job;
  const findIndex = createIndexFinder(plan.rows);
  const settledCount = plan.rows.length - plan.counts.create;
  let shownAtMs = 0;
  let quarter = 0;
  return {
    onResult: (result) => {
      const index = findIndex(result);
      if (index !== undefined) results[index] = mergeResult(results[index], result);
    },
    onProgress: ({ done }) => {
      if (Date.now() - shownAtMs < SHOW_MS || job.abort !== abort) return;
      shownAtMs = Date.now();
      const made = Math.max(0, done - settledCount);
      const total = plan.counts.create;
      batch(() => {
        importWork.value = { kind: "running", done: made, total, isStopping: abort.signal.aborted };
        showResults();
      });
      const reached = Math.floor((made / Math.max(1, total)) * 4);
      if (reached > quarter && reached < 4) announce(`${reached * 25}% imported`);
      quarter = reached;
    },
  };
}

function finishRun(): void {
  batch(() => {
    importWork.value = null;
    showResults();
  });
  const end = summary.peek();
  const counted = totals.peek();
  if (end === null || counted === null) return;
  const text = describeSummary(counted, end).title;
  if (path.peek() === "/import") announce(text);
  else showToast(`Import: ${text}`);
}

/** Stops the import once the calls in progress have finished. */
export function stopImport(): void {
  const work = importWork.peek();
  if (work?.kind !== "running") return;
  job.abort.abort();
  importWork.value = { ...work, isStopping: true };
}

/** Saves the result of each row as a CSV file. */
export async function saveReport(): Promise<void> {
  const { buildReport } = await loadEngine();
  const name = `import-report-${new Date().toISOString().slice(0, 10)}.csv`;
  saveFile(name, new Blob([buildReport(job.results)], { type: "text/csv" }));
  announce(`Saved ${name}`);
}

const askBeforeLeaving = (event: BeforeUnloadEvent) => event.preventDefault();

// Leaving the page would interrupt the import, so the browser asks first.
effect(() => {
  if (importWork.value?.kind === "running") addEventListener("beforeunload", askBeforeLeaving);
  else removeEventListener("beforeunload", askBeforeLeaving);
});
