// Pure: no I/O, clock or randomness.
import { runConcurrently } from "../../core/run-concurrently.ts";
import { splitBySize } from "../../core/split.ts";
import { isApiPath } from "../../routing/alias.ts";
import { formatCodeList } from "../../routing/code-list.ts";
import { listForms, toCodeKey } from "../../routing/short-code.ts";
import { getOldCode } from "./fit-code.ts";
import { quote } from "./foreign-link.ts";
import { assignCodes, type PreparedRow } from "./generated-codes.ts";
import { type ImportFile, type ImportRow, type InvalidRow, isImportRow } from "./import-row.ts";
import { CALL_ITEMS_MAX, type ExistingLink, type ImportTarget, PARALLEL_CALLS } from "./import-target.ts";
import { type ImportPlan, type OnConflict, planImport } from "./plan-import.ts";

/** Maximum length of the codes in one look-up, because servers limit the length of URLs. */
const CALL_BYTES_MAX = 8_000;

export interface PrepareOptions {
  onConflict: OnConflict;
  /** Called with the number of codes looked up so far. */
  onProgress?: (progress: { done: number; total: number }) => void;
  /** Stops the look-ups. */
  signal?: AbortSignal;
}

/**
 * Plans the import of a file: looks up which of its codes the workspace already uses, and changes nothing.
 * Throws `TargetError`, or the signal's reason if it is aborted.
 */
export async function prepareImport(
  target: ImportTarget,
  file: ImportFile,
  options: PrepareOptions,
): Promise<ImportPlan> {
  const prepared = await prepareRows(target, file.rows);
  return completePlan(target, planImport(prepared, new Map(), options.onConflict), options);
}

/** Assigns codes to the rows of a file. Rejects codes that are paths of the API on the workspace's domain. */
export async function prepareRows(
  target: ImportTarget,
  rows: readonly (ImportRow | InvalidRow)[],
): Promise<PreparedRow[]> {
  const isReserved = (row: ImportRow | InvalidRow): row is ImportRow =>
    isImportRow(row) && row.link.aliases?.some(isApiPath) === true;
  const rejects = rows.some(isReserved) && (await target.servesApi());
  return assignCodes(rejects ? rows.map((row) => (isReserved(row) ? reject(row) : row)) : rows, () =>
    target.readWorkspaceId(),
  );
}

function reject({ line, formerUrl, link }: ImportRow): InvalidRow {
  const code = getOldCode(link);
  return {
    line,
    formerUrl,
    code,
    problem: `the short code ${quote(code ?? "")} is a path of the API on your domain`,
  };
}

export interface CompletionOptions extends Omit<PrepareOptions, "onConflict"> {
  /** Also looks up aliases in lower and upper case, which prevent a link from getting a short code. */
  isThorough?: boolean;
}

/** Looks up a plan's unknown codes and plans again, until every assigned code has been looked up. */
export async function completePlan(
  target: ImportTarget,
  plan: ImportPlan,
  { onProgress, signal, isThorough = false }: CompletionOptions = {},
): Promise<ImportPlan> {
  const share = isThorough ? listForms("").length : 1;
  const callItemsMax = Math.floor(CALL_ITEMS_MAX / share);
  const callBytesMax = CALL_BYTES_MAX / share;
  let complete = plan;
  let done = 0;
  while (complete.unknownCodes.length > 0) {
    const known = new Map(complete.known);
    const total = done + complete.unknownCodes.length;
    await runConcurrently(
      splitBySize(complete.unknownCodes, getSize, callBytesMax, callItemsMax),
      PARALLEL_CALLS,
      async (codes) => {
        signal?.throwIfAborted();
        const wanted = isThorough ? codes.flatMap(listForms) : codes;
        const found = await lookUp(target, [...new Set(wanted)]);
        for (const code of codes) known.set(code, found.get(toCodeKey(code)) ?? []);
        done += codes.length;
        onProgress?.({ done, total });
      },
    );
    complete = planImport(complete.prepared, known, complete.onConflict);
  }
  return complete;
}

/** Looks up codes. Returns the found links by the keys of their short codes and aliases. */
async function lookUp(
  target: ImportTarget,
  codes: readonly string[],
): Promise<ReadonlyMap<string, readonly ExistingLink[]>> {
  const found = new Map<string, ExistingLink[]>();
  for (const link of await target.findCodes(codes)) {
    for (const key of new Set([link.short_code, ...link.aliases].map(toCodeKey)))
      found.set(key, [...(found.get(key) ?? []), link]);
  }
  return found;
}

/** Returns the length of a code in a URL. */
function getSize(code: string): number {
  return encodeURIComponent(formatCodeList([code])).length + 3;
}
