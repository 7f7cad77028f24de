// Pure: no I/O, clock or randomness.
import { runConcurrently } from "../../core/run-concurrently.ts";
import { type BatchResult, createBatch } from "./create-batch.ts";
import { cutBatches } from "./cut-batches.ts";
import { formatCodeUrl, getOldCode } from "./fit-code.ts";
import type { CodedRow } from "./generated-codes.ts";
import { type ExistingLink, type ImportTarget, PARALLEL_CALLS, TargetError } from "./import-target.ts";
import { type ImportPlan, type PlannedRow, planImport } from "./plan-import.ts";
import { completePlan } from "./prepare-import.ts";

/**
 * Executes a plan. No state is stored between runs: each row has the same code in every run, the service
 * never creates a code twice, and an existing link with the row's code and destination counts as the row's
 * link. So a stopped import can be continued at any time by running it again. Idempotency keys for the file
 * would be worse: they are only kept for a day, and they would return earlier failures again, for example
 * after the workspace's plan was upgraded.
 */

export type ResultState =
  | "created"
  | "exists"
  | "duplicate"
  | "conflict"
  | "faulty"
  /** The service rejected the row. */
  | "failed"
  /** The import stopped before the row's link was created. */
  | "left";

export interface RowResult {
  line: number;
  formerUrl: string | null;
  code: string | null;
  state: ResultState;
  shortUrl: string | null;
  /** URL at which the row's old code works now, or null if the row had no code or its code is lost. */
  keptUrl: string | null;
  /** Reason why no link was created, or null if it was. */
  reason: string | null;
  notes: readonly string[];
}

/** Reason why an import ended before its last row. */
export type ImportStop =
  | { kind: "aborted" }
  /** The plan has conflicts and `onConflict` is `fail`. Nothing was created. */
  | { kind: "conflicts" }
  /** The service doesn't respond or accepts no more links: a limit is reached, or the key lacks the scope. */
  | { kind: "refused"; error: TargetError };

export interface ImportSummary {
  counts: Readonly<Record<ResultState, number>>;
  /** Null if every row was tried. */
  stop: ImportStop | null;
}

/** Progress of a running import. */
export interface ImportProgress {
  done: number;
  total: number;
  created: number;
  failed: number;
}

export interface RunOptions {
  /** Called once with each row's result. */
  onResult?: (result: RowResult) => void;
  onProgress?: (progress: ImportProgress) => void;
  /** Stops the import after the pending calls. */
  signal?: AbortSignal;
  /** Maximum number of links per call. */
  batchItems?: number;
}

type RowToCreate = Extract<PlannedRow, { state: "create" }>;

/** Maximum attempts for a row whose code someone else takes between planning and creation. */
const PASSES_MAX = 5;

/** Executes a complete plan. Resolves once all rows have a result, even if the service rejects calls. */
export async function runImport(
  target: ImportTarget,
  plan: ImportPlan,
  options: RunOptions = {},
): Promise<ImportSummary> {
  const run = new ImportRun(target, plan, options);
  return run.finish();
}

/** State of one import. */
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
  private readonly made = new Map<string, readonly ExistingLink[]>();
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
        this.settle(planned, "conflict", { reason: "its short code was taken by other requests" });
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

  /** Creates links. Returns the rows whose code was taken after the plan was made. */
  private async createAll(waiting: readonly RowToCreate[]): Promise<RowToCreate[]> {
    const contested: RowToCreate[] = [];
    await runConcurrently(cutBatches(waiting, this.options.batchItems), PARALLEL_CALLS, async (batch) => {
      if (this.options.signal?.aborted) this.stop ??= { kind: "aborted" };
      const result = this.stop === null ? await this.createBatch(batch) : leaveAll(batch);
      for (const { planned, link } of result.created) {
        this.made.set(planned.code, [link]);
        this.settle(planned, "created", { link });
      }
      for (const { planned, reason } of result.failed) this.settle(planned, "failed", { reason });
      for (const planned of result.left)
        this.settle(planned, "left", { reason: "not attempted: the import stopped first" });
      contested.push(...result.taken);
    });
    return contested;
  }

  private async createBatch(batch: readonly RowToCreate[]): Promise<BatchResult<RowToCreate>> {
    const result = await createBatch(this.target, batch);
    if (result.refusal !== null) this.stop ??= { kind: "refused", error: result.refusal };
    return result;
  }

  /**
   * Plans rows again whose code has been taken, either by an earlier run that created the same link or by
   * someone else.
   */
  private async planAgain(contested: readonly RowToCreate[]): Promise<RowToCreate[]> {
    const { prepared, onConflict } = this.plan;
    const rows = new Set<PlannedRow["row"]>(contested.map(({ row }) => row));
    const known = new Map([...this.plan.known, ...this.made]);
    for (const { code } of contested) known.delete(code);
    try {
      this.plan = await completePlan(this.target, planImport(prepared, known, onConflict), {
        isThorough: true,
      });
    } catch (error) {
      if (!(error instanceof TargetError)) throw error;
      this.stop ??= { kind: "refused", error };
      for (const planned of contested)
        this.settle(planned, "left", { reason: "not attempted: the import stopped first" });
      return [];
    }
    return this.settlePlanned((row) => rows.has(row));
  }

  /** Counts and reports the result of a row. */
  private settle(
    planned: PlannedRow,
    state: ResultState,
    { link, reason }: { link?: ExistingLink; reason?: string },
  ): void {
    const { onResult, onProgress } = this.options;
    const code = "code" in planned ? planned.code : null;
    const isKept =
      code !== null && link !== undefined && "link" in planned.row && getOldCode(planned.row.link) === code;
    this.counts[state]++;
    this.done++;
    onResult?.({
      line: planned.row.line,
      formerUrl: planned.row.formerUrl,
      code,
      state,
      shortUrl: link?.short_url ?? null,
      keptUrl: isKept ? formatCodeUrl(code, link.short_url) : null,
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
