// Pure: no I/O, clock or randomness.
import { runConcurrently } from "../../core/run-concurrently.ts";
import { splitBySize } from "../../core/split.ts";
import { toCodeKey } from "../../routing/short-code.ts";
import { assignCodes } from "./generated-codes.ts";
import type { ImportFile } from "./import-row.ts";
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
  const prepared = await assignCodes(file.rows, () => target.readWorkspaceId());
  return completePlan(target, planImport(prepared, new Map(), options.onConflict), options);
}

/** Looks up a plan's unknown codes and plans again, until every assigned code has been looked up. */
export async function completePlan(
  target: ImportTarget,
  plan: ImportPlan,
  { onProgress, signal }: Omit<PrepareOptions, "onConflict"> = {},
): Promise<ImportPlan> {
  let complete = plan;
  let done = 0;
  while (complete.unknownCodes.length > 0) {
    const known = new Map(complete.known);
    const total = done + complete.unknownCodes.length;
    await runConcurrently(
      splitBySize(complete.unknownCodes, getSize, CALL_BYTES_MAX, CALL_ITEMS_MAX),
      PARALLEL_CALLS,
      async (codes) => {
        signal?.throwIfAborted();
        for (const [code, links] of await lookUp(target, codes)) known.set(code, links);
        done += codes.length;
        onProgress?.({ done, total });
      },
    );
    complete = planImport(complete.prepared, known, complete.onConflict);
  }
  return complete;
}

/** Looks up codes. */
async function lookUp(
  target: ImportTarget,
  codes: readonly string[],
): Promise<Map<string, readonly ExistingLink[]>> {
  const byKey = new Map<string, ExistingLink[]>();
  for (const link of await target.findCodes(codes)) {
    for (const key of new Set([link.short_code, ...link.aliases].map(toCodeKey)))
      byKey.set(key, [...(byKey.get(key) ?? []), link]);
  }
  return new Map(codes.map((code) => [code, byKey.get(toCodeKey(code)) ?? []]));
}

/** Returns the length of a code in a URL. */
function getSize(code: string): number {
  return encodeURIComponent(code).length + 3;
}
