import { batch, computed, signal } from "@preact/signals";
import type { ColumnMap } from "../../../client/import/column-map.ts";
import type { ImportTarget } from "../../../client/import/import-target.ts";
import type { ImportPlan, KnownCodes } from "../../../client/import/plan-import.ts";
import type { ImportSummary, RowResult } from "../../../client/import/run-import.ts";
import type { ReadFile } from "./import-engine.ts";
import { countStates, type Results } from "./plan-lines.ts";

/** File that is imported, its plan, and how far the import is. It outlives the screen, so that nobody has to wait there. */

/** Loads the code that reads, plans and imports. */
export const loadEngine = () => import("./import-engine.ts");

/** File that was chosen. */
export interface ChosenFile {
  name: string;
  sizeBytes: number;
  text: string;
  /** Workspace that it is imported into. */
  workspaceSlug: string;
}

/** Work that is under way: the file is read, its codes are looked up, links are made. */
export type ImportWork =
  | { kind: "reading" }
  | { kind: "planning"; done: number; total: number }
  | { kind: "running"; done: number; total: number; isStopping: boolean };

export const chosenFile = signal<ChosenFile | null>(null);
/** What a person said about the columns of the file. Undefined leaves it to their names. */
export const chosenColumns = signal<ColumnMap | undefined>(undefined);
/** File as it was read, with the plan of its import. */
export const plannedFile = signal<{ read: ReadFile; plan: ImportPlan } | null>(null);
/** Why the file could not be chosen, read or planned, or null. */
export const planFault = signal<unknown>(null);
export const importWork = signal<ImportWork | null>(null);
/** End of the last run, or null before it. */
export const summary = signal<ImportSummary | null>(null);

/** What work goes on with, and no screen shows. */
interface Job {
  target: ImportTarget | null;
  /** Codes that were looked up for the file. */
  known: KnownCodes;
  /** Choices that the rows were read with. */
  readKey: string | null;
  abort: AbortController;
  /** Results by the place of their row, filled in place: there may be thousands. */
  results: (RowResult | undefined)[];
}

export let job: Job = createJob();

/** Results by the place of their row, as they were when they were last shown. */
export const shownResults = signal<Results>([]);

function createJob(): Job {
  return { target: null, known: new Map(), readKey: null, abort: new AbortController(), results: [] };
}

/** Takes a file, or none. Whatever was known of the former one is forgotten. */
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

/** Shows results that were added. */
export function showResults(): void {
  shownResults.value = job.results.slice();
}

/** Number of rows in each state, or null without a plan. */
export const totals = computed(() =>
  plannedFile.value === null ? null : countStates(plannedFile.value.plan.rows, shownResults.value),
);
