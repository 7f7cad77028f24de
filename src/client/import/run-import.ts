import { runConcurrently } from "../../core/run-concurrently.ts";
import { toCodeKey } from "../../routing/short-code.ts";
import { type BatchResult, createBatch } from "./create-batch.ts";
import { cutBatches } from "./cut-batches.ts";
import type { CodedRow } from "./generated-codes.ts";
import { type ExistingLink, type ImportTarget, PARALLEL_CALLS, TargetError } from "./import-target.ts";
import { type ImportPlan, type PlannedRow, planImport } from "./plan-import.ts";
import { completePlan } from "./prepare-import.ts";

/**
 * Makes what a plan says. No state is kept for a repetition: each row has the same code in each run, the service makes no
 * code twice, and a code that leads to the row's destination is the row's link. So an import that was stopped anywhere is
 * continued by repeating it, now or later. Idempotency keys of the file would be worse: they are known for a day only, and
 * would repeat a former failure, such as that of a plan that has been changed since.
 */

/** State of a row after an import. */
export type ResultState =
  | "created"
  | "exists"
  | "duplicate"
  | "conflict"
  | "faulty"
  /** The service refused the row. */
  | "failed"
  /** The import ended before the row. */
  | "left";

/** Result of a row. */
export interface RowResult {
  line: number;
  formerUrl: string | null;
  code: string | null;
  state: ResultState;
  shortUrl: string | null;
  /** Why the row is no new link; null if it is one. */
  reason: string | null;
  notes: readonly string[];
}

/** Reason why an import ended before its last row. */
export type ImportStop =
  | { kind: "aborted" }
  /** The plan has conflicts, and these refuse the import. Nothing was made. */
  | { kind: "conflicts" }
  /** The service makes no more links: a limit, a key without the scope, no response. */
  | { kind: "refused"; error: TargetError };

/** Result of an import. */
export interface ImportSummary {
  counts: Readonly<Record<ResultState, number>>;
  /** Null if every row was tried. */
  stop: ImportStop | null;
}

/** State of an import under way. */
export interface ImportProgress {
  done: number;
  total: number;
  created: number;
  failed: number;
}

/** Options of {@link runImport}. */
export interface RunOptions {
  /** Is told the result of every row, once. */
  onResult?: (result: RowResult) => void;
  onProgress?: (progress: ImportProgress) => void;
  /** Ends the import after the calls that are under way. */
  signal?: AbortSignal;
  /** Links of one call. */
  batchItems?: number;
}

type RowToCreate = Extract<PlannedRow, { state: "create" }>;

/** Tries of a row whose code somebody else takes meanwhile. */
const PASSES_MAX = 5;

/** Imports what a complete plan says. Resolves when all rows have their result, whatever happens on the way. */
export async function runImport(
  target: ImportTarget,
  plan: ImportPlan,
  options: RunOptions = {},
): Promise<ImportSummary> {
  const run = new ImportRun(target, plan, options);
  return run.finish();
}

/** One import, with what it has done so far. */
class ImportRun {
  private readonly counts = {
    created: 0,
    exists: 0,
    duplicate: 0,
    conflict: 0,
    faulty: 0,
    failed: 0,
    left: 0,
  };
  private readonly made = new Map<string, ExistingLink>();
  private done = 0;
  private stop: ImportStop | null = null;
  private readonly target: ImportTarget;
  private plan: ImportPlan;
  private readonly options: RunOptions;

  constructor(target: ImportTarget, plan: ImportPlan, options: RunOptions) {
    this.target = target;
    this.plan = plan;
    this.options = options;
  }

  async finish(): Promise<ImportSummary> {
    const { onConflict, counts } = this.plan;
    if (onConflict === "fail" && counts.conflict > 0) this.stop = { kind: "conflicts" };
    let waiting = this.settlePlanned(() => true);
    for (let pass = 1; waiting.length > 0; pass++) {
      const contested = await this.createAll(waiting);
      const isLast = pass === PASSES_MAX;
      for (const planned of isLast ? contested : [])
        this.settle(planned, "conflict", { reason: "others took its code again and again" });
      waiting = isLast || contested.length === 0 ? [] : await this.planAgain(contested);
    }
    return { counts: this.counts, stop: this.stop };
  }

  /** Settles the rows of the plan that need no call. Returns the others. */
  private settlePlanned(isConcerned: (row: PlannedRow["row"]) => boolean): RowToCreate[] {
    const waiting: RowToCreate[] = [];
    for (const planned of this.plan.rows) {
      if (!isConcerned(planned.row)) continue;
      if (planned.state === "create") waiting.push(planned);
      else if (planned.state === "exists") this.settle(planned, "exists", { link: planned.existing });
      else this.settle(planned, planned.state, { reason: planned.reason });
    }
    return waiting;
  }

  /** Creates links. Returns the rows whose code has been taken since the plan was made. */
  private async createAll(waiting: readonly RowToCreate[]): Promise<RowToCreate[]> {
    const contested: RowToCreate[] = [];
    await runConcurrently(cutBatches(waiting, this.options.batchItems), PARALLEL_CALLS, async (batch) => {
      if (this.options.signal?.aborted) this.stop ??= { kind: "aborted" };
      const result = this.stop === null ? await this.createBatch(batch) : leaveAll(batch);
      for (const { planned, link } of result.created) {
        this.made.set(toCodeKey(link.short_code), link);
        this.settle(planned, "created", { link });
      }
      for (const { planned, reason } of result.failed) this.settle(planned, "failed", { reason });
      for (const planned of result.left)
        this.settle(planned, "left", { reason: "the import ended before it" });
      contested.push(...result.taken);
    });
    return contested;
  }

  private async createBatch(batch: readonly RowToCreate[]): Promise<BatchResult<RowToCreate>> {
    const result = await createBatch(this.target, batch);
    if (result.refusal !== null) this.stop ??= { kind: "refused", error: result.refusal };
    return result;
  }

  /** Plans rows again whose code has been taken: by a former run, which made the same link, or by others. */
  private async planAgain(contested: readonly RowToCreate[]): Promise<RowToCreate[]> {
    const { prepared, onConflict } = this.plan;
    const rows = new Set<PlannedRow["row"]>(contested.map(({ row }) => row));
    const known = new Map<string, ExistingLink | null>([...this.plan.known, ...this.made]);
    for (const { code } of contested) known.delete(toCodeKey(code));
    try {
      this.plan = await completePlan(this.target, planImport(prepared, known, onConflict));
    } catch (error) {
      if (!(error instanceof TargetError)) throw error;
      this.stop ??= { kind: "refused", error };
      for (const planned of contested) this.settle(planned, "left", { reason: "the import ended before it" });
      return [];
    }
    return this.settlePlanned((row) => rows.has(row));
  }

  /** Tells the result of a row. */
  private settle(
    planned: PlannedRow,
    state: ResultState,
    { link, reason }: { link?: ExistingLink; reason?: string },
  ): void {
    const { onResult, onProgress } = this.options;
    this.counts[state]++;
    this.done++;
    onResult?.({
      line: planned.row.line,
      formerUrl: planned.row.formerUrl,
      code: link?.short_code ?? ("code" in planned ? planned.code : null),
      state,
      shortUrl: link?.short_url ?? null,
      reason: reason ?? null,
      notes: "notes" in planned ? planned.notes : readNotes(planned.row),
    });
    const { created, failed } = this.counts;
    onProgress?.({ done: this.done, total: this.plan.rows.length, created, failed });
  }
}

function leaveAll(batch: readonly RowToCreate[]): BatchResult<RowToCreate> {
  return { created: [], failed: [], taken: [], left: batch, refusal: null };
}

function readNotes(row: PlannedRow["row"] | CodedRow): readonly string[] {
  return "notes" in row ? row.notes : [];
}
