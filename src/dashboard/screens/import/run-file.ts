import { batch, effect } from "@preact/signals";
import type { ImportPlan } from "../../../client/import/plan-import.ts";
import type { RunOptions } from "../../../client/import/run-import.ts";
import { path } from "../../address/address.ts";
import { announce, showToast } from "../../components/toast-list.ts";
import { saveFile } from "../../data/save-file.ts";
import { workspace } from "../../session/session.ts";
import { createPlaces, mergeResult } from "./import-results.ts";
import {
  chosenFile,
  importWork,
  job,
  loadEngine,
  planFault,
  plannedFile,
  showResults,
  summary,
  takeFile,
  totals,
} from "./import-store.ts";
import { describeSummary } from "./summary-words.ts";

/** Time between two views of the progress, in milliseconds: a view counts all rows. */
const SHOW_MS = 120;

/** Makes the links of the plan. After a former run, those that it did not reach or could not make. */
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

/** Returns the listeners of a run. */
function followRun(plan: ImportPlan): Pick<RunOptions, "onResult" | "onProgress"> {
  const { results, abort } = job;
  const findPlace = createPlaces(plan.rows);
  const settledCount = plan.rows.length - plan.counts.create;
  let shownAtMs = 0;
  let quarter = 0;
  return {
    onResult: (result) => {
      const index = findPlace(result);
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
      if (reached > quarter && reached < 4) announce(`${reached * 25} % imported`);
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

/** Stops the import after the calls that are under way. */
export function stopImport(): void {
  const work = importWork.peek();
  if (work?.kind !== "running") return;
  job.abort.abort();
  importWork.value = { ...work, isStopping: true };
}

/** Saves what became of each row as CSV. */
export async function saveReport(): Promise<void> {
  const { buildReport } = await loadEngine();
  const name = `import-report-${new Date().toISOString().slice(0, 10)}.csv`;
  saveFile(name, new Blob([buildReport(job.results)], { type: "text/csv" }));
  announce(`${name} was saved`);
}

const askBeforeLeaving = (event: BeforeUnloadEvent) => event.preventDefault();

// Links that are being made would be cut off with the page.
effect(() => {
  if (importWork.value?.kind === "running") addEventListener("beforeunload", askBeforeLeaving);
  else removeEventListener("beforeunload", askBeforeLeaving);
});

// What was chosen for one workspace must not be imported into another.
effect(() => {
  const slug = workspace.value?.slug;
  const file = chosenFile.peek();
  if (slug === undefined || file === null || file.workspaceSlug === slug) return;
  const wasRunning = importWork.peek()?.kind === "running";
  takeFile(null);
  if (wasRunning) showToast("The import has been stopped. Choose its file again in that workspace to go on.");
});
