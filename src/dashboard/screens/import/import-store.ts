import { batch, computed, signal } from "@preact/signals";
import type { ColumnMap } from "../../../client/import/column-map.ts";
import type { ImportTarget } from "../../../client/import/import-target.ts";
import type { ImportPlan, KnownCodes } from "../../../client/import/plan-import.ts";
import type { ImportSummary, RowResult } from "../../../client/import/run-import.ts";
import type { ReadFile } from "./import-engine.ts";
import { countStates, type Results } from "./plan-lines.ts";

/**
 * State of the import: the file, its plan and its progress. It is kept outside the screen, so that an import
 * continues when another screen is opened.
 */

/** Loads the code that reads, plans and imports. */
export const loadEngine = () => import("./import-engine.ts");

/** File that the user chose. */
export interface ChosenFile {
  name: string;
  sizeBytes: number;
  text: string;
}

/** Work in progress: reading the file, looking up its codes, or creating links. */
export type ImportWork =
  | { kind: "reading" }
  | { kind: "planning"; done: number; total: number }
  | { kind: "running"; done: number; total: number; isStopping: boolean };

export const chosenFile = signal<ChosenFile | null>(null);
/** Columns that the user assigned to fields. If undefined, the columns are guessed from their names. */
export const chosenColumns = signal<ColumnMap | undefined>(undefined);
/** Parsed file with the plan of its import. */
export const plannedFile = signal<{ read: ReadFile; plan: ImportPlan } | null>(null);
/** Error of choosing, reading or planning the file, or null. */
export const planFault = signal<unknown>(null);
export const importWork = signal<ImportWork | null>(null);
/** Summary of the last run. Null before the first run and during a run. */
export const summary = signal<ImportSummary | null>(null);

/** Internal state of the import that isn't rendered. */
interface Job {
  target: ImportTarget | null;
  /** Codes that were looked up for the file, with their links. */
  known: KnownCodes;
  /** Source and columns that the rows were read with, as JSON. */
  readKey: string | null;
  abort: AbortController;
  /**
   * Results by index of their row. The array is changed in place, because it can have thousands of entries.
   */
  results: (RowResult | undefined)[];
}

export let job: Job = createJob();

/** Copy of the results by row index, as last rendered. */
export const shownResults = signal<Results>([]);

function createJob(): Job {
  return { target: null, known: new Map(), readKey: null, abort: new AbortController(), results: [] };
}

/** Sets the file to import. Null removes it. Everything about the previous file is discarded. */
export function takeFile(file: ChosenFile | null): void {
  job.abort.abort();
  job = createJob();
  batch(() => {
    chosenFile.value = file;
    chosenColumns.value = undefined;
    plannedFile.value = null;
    planFault.value = null;
    importWork.value = null;
    summary.value = null;
    showResults();
  });
}

/** Updates the rendered results. */
export function showResults(): void {
  shownResults.value = job.results.slice();
}

/** Number of rows in each state. Null if there is no plan. */
export const totals = computed(() =>
  plannedFile.value === null ? null : countStates(plannedFile.value.plan.rows, shownResults.value),
);
