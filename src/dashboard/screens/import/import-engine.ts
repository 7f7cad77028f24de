import createClient from "openapi-fetch";
import { sleep } from "../../../client/abortable-sleep.ts";
import { createApiTarget } from "../../../client/import/api-target.ts";
import { type ColumnMap, guessColumns, listColumns } from "../../../client/import/column-map.ts";
import type { PreparedRow } from "../../../client/import/generated-codes.ts";
import { formatReport } from "../../../client/import/import-report.ts";
import type { SourceName } from "../../../client/import/import-row.ts";
import type { ImportTarget } from "../../../client/import/import-target.ts";
import {
  type ImportPlan,
  type KnownCodes,
  type OnConflict,
  planImport,
} from "../../../client/import/plan-import.ts";
import { completePlan, prepareRows } from "../../../client/import/prepare-import.ts";
import { readImport } from "../../../client/import/read-import.ts";
import { type ImportSummary, type RunOptions, runImport } from "../../../client/import/run-import.ts";
import { createRetryingFetch } from "../../../client/retrying-fetch.ts";
import type { paths } from "../../../client/schema.d.ts";
import type { TypedClient } from "../../../client/typed-calls.ts";
import { getWorkspaceHeader } from "../../data/calls.ts";
import { TURN_MS } from "../../data/limit-pause.ts";
import { addLabels } from "./import-labels.ts";
import { learnCodes } from "./import-results.ts";
import type { Results } from "./plan-lines.ts";

/** Reads files, plans imports and runs them. Loaded on demand, because of the libraries that it imports. */

/** Columns of a CSV file of the generic source, and the fields assigned to them. */
export interface FileColumns {
  header: readonly string[];
  /** First rows, shown as samples. */
  samples: readonly (readonly string[])[];
  map: ColumnMap;
}

/** File that was read, with its rows. */
export interface ReadFile {
  source: SourceName;
  rows: readonly PreparedRow[];
  /** Columns that the user can assign to fields. Null for formats with known columns. */
  columns: FileColumns | null;
}

/**
 * Creates the API client of an import. It spaces its calls to stay below the rate limit, and retries calls
 * that fail temporarily.
 */
export function createTarget(): ImportTarget {
  let turn: Promise<void> = Promise.resolve();
  const never = new AbortController().signal;
  const fetchInTurn = async (request: Request, init: RequestInit) => {
    turn = turn.then(() => sleep(TURN_MS, never));
    await turn;
    return fetch(request, init);
  };
  const platform = { fetch: fetchInTurn, sleep, random: Math.random, nowMs: Date.now };
  const client = createClient<paths>({
    baseUrl: location.origin,
    credentials: "same-origin",
    headers: getWorkspaceHeader(),
    fetch: createRetryingFetch(platform),
  }) as TypedClient;
  return createApiTarget(client);
}

interface ReadOptions {
  /** If undefined, the source is detected from the file. */
  source: SourceName | undefined;
  /** If undefined, the columns are guessed from their names. */
  columns: ColumnMap | undefined;
  target: ImportTarget;
}

/**
 * Reads a file. Throws `ImportFormatError` if it can't be read, and `TargetError` if a call to the API fails.
 */
export async function readFile(
  file: { name: string; text: string },
  { source, columns, target }: ReadOptions,
): Promise<ReadFile> {
  try {
    const read = readImport(file, { source, columns, nowMs: Date.now() });
    return {
      source: read.source,
      rows: await prepareRows(target, read.rows),
      columns: read.source === "csv" && !isJson(file.text) ? readColumns(file.text, columns) : null,
    };
  } catch (thrown) {
    const unmapped = source === undefined || source === "csv" ? findUnmapped(file.text, columns) : null;
    if (unmapped === null) throw thrown;
    return { source: "csv", rows: [], columns: unmapped };
  }
}

/** Returns the columns of a table if the user has to choose the destination column, otherwise null. */
function findUnmapped(text: string, columns: ColumnMap | undefined): FileColumns | null {
  if (isJson(text)) return null;
  try {
    const found = readColumns(text, columns);
    return found.samples.length > 0 && found.map.url === undefined ? found : null;
  } catch {
    // The caller already reports what is wrong with the file.
    return null;
  }
}

function isJson(text: string): boolean {
  return /^\s*[[{]/.test(text);
}

function readColumns(text: string, columns: ColumnMap | undefined): FileColumns {
  const { header, rows } = listColumns(text);
  return { header, samples: rows, map: columns ?? guessColumns(header) };
}

interface PlanOptions {
  labels: readonly string[];
  onConflict: OnConflict;
  /** Codes that were looked up before, with their links. */
  known: KnownCodes;
  onProgress: (progress: { done: number; total: number }) => void;
  signal: AbortSignal;
}

/**
 * Plans the import of rows. Looks up all codes that aren't in `known`. Throws `TargetError`, or the abort
 * reason of the signal.
 */
export function planRows(
  target: ImportTarget,
  rows: readonly PreparedRow[],
  { labels, onConflict, known, onProgress, signal }: PlanOptions,
): Promise<ImportPlan> {
  return completePlan(target, planImport(addLabels(rows, labels), known, onConflict), { onProgress, signal });
}

/** Plans the rows that a previous run left. Links of that run count as existing. Throws `TargetError`. */
export function planFurther(target: ImportTarget, plan: ImportPlan, results: Results): Promise<ImportPlan> {
  return completePlan(target, planImport(plan.prepared, learnCodes(plan, results), plan.onConflict));
}

/** Runs the import of a plan. */
export function runPlan(target: ImportTarget, plan: ImportPlan, options: RunOptions): Promise<ImportSummary> {
  return runImport(target, plan, options);
}

/** Formats the results of rows as CSV. */
export function buildReport(results: Results): string {
  return formatReport(
    results.filter((result) => result !== undefined),
    "csv",
  );
}
