import { batch } from "@preact/signals";
import { decodeFile, IMPORT_MAX_BYTES } from "../../../client/import/file-text.ts";
import { ImportFormatError, type SourceName } from "../../../client/import/import-row.ts";
import type { OnConflict } from "../../../client/import/plan-import.ts";
import { formatBytes } from "../../../core/byte-size.ts";
import { setQuery } from "../../address/address.ts";
import { focusHeading } from "../../components/dialog.tsx";
import {
  type ChosenFile,
  chosenColumns,
  chosenFile,
  importWork,
  job,
  loadEngine,
  planFault,
  plannedFile,
  showResults,
  summary,
  takeFile,
} from "./import-store.ts";

/** Turns a chosen file into the plan of its import. */

/** Sets a local file as the file to import. */
export async function chooseFile(file: File): Promise<void> {
  if (file.size > IMPORT_MAX_BYTES) {
    const text = `${file.name} is ${formatBytes(file.size)}, but the maximum is ${formatBytes(IMPORT_MAX_BYTES)}. Split it into smaller files`;
    planFault.value = new ImportFormatError(text);
    return;
  }
  try {
    chooseText(file.name, decodeFile(new Uint8Array(await file.arrayBuffer())));
  } catch (fault) {
    planFault.value = fault;
  }
}

/** Sets a text as the file to import. */
export function chooseText(name: string, text: string): void {
  takeFile({ name, sizeBytes: new Blob([text]).size, text });
}

/** Removes the file and goes back to the first step. */
export function dropFile(): void {
  takeFile(null);
  setQuery({ show: null });
  focusHeading();
}

/** Options that the plan depends on, besides the file and its columns. */
export interface PlanChoices {
  /** If undefined, the source is detected from the file. */
  source: SourceName | undefined;
  onConflict: OnConflict;
  labels: readonly string[];
}

/**
 * Plans the import of the chosen file. A later call cancels an earlier one. Does nothing while an import runs
 * or after it has ended.
 */
export async function planFile(choices: PlanChoices): Promise<void> {
  const file = chosenFile.peek();
  if (file === null || importWork.peek()?.kind === "running" || summary.peek() !== null) return;
  job.abort.abort();
  job.abort = new AbortController();
  const { signal } = job.abort;
  try {
    await makePlan(file, choices, signal);
  } catch (thrown) {
    if (signal.aborted) return;
    job.readKey = null;
    batch(() => {
      plannedFile.value = null;
      planFault.value = thrown;
      importWork.value = null;
    });
  }
}

async function makePlan(
  file: ChosenFile,
  { source, onConflict, labels }: PlanChoices,
  signal: AbortSignal,
): Promise<void> {
  // Files of known services have fixed columns.
  const columns = source === undefined || source === "csv" ? chosenColumns.peek() : undefined;
  const readKey = JSON.stringify([source, columns]);
  const last = readKey === job.readKey ? plannedFile.peek() : null;
  planFault.value = null;
  if (last === null) importWork.value = { kind: "reading" };
  const { createTarget, planRows, readFile } = await loadEngine();
  // Reading a large file blocks the page, so the browser gets a chance to render first.
  await new Promise((resolve) => setTimeout(resolve));
  signal.throwIfAborted();
  const current = job;
  current.target ??= createTarget();
  const { target, known } = current;
  const read = last?.read ?? (await readFile(file, { source, columns, target }));
  const onProgress = (progress: { done: number; total: number }) => {
    if (!signal.aborted) importWork.value = { kind: "planning", ...progress };
  };
  const plan = await planRows(target, read.rows, { labels, onConflict, known, onProgress, signal });
  signal.throwIfAborted();
  // The rows were read again, so results of the previous rows no longer match.
  if (last === null) current.results = [];
  current.known = plan.known;
  current.readKey = readKey;
  batch(() => {
    plannedFile.value = { read, plan };
    importWork.value = null;
    showResults();
  });
}
