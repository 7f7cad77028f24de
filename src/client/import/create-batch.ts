// Pure: no I/O, clock or randomness.
import type { components } from "../schema.d.ts";
import { type ExistingLink, type ImportTarget, TargetError } from "./import-target.ts";

type Schemas = components["schemas"];

export interface BatchResult<Row> {
  created: readonly { planned: Row; link: ExistingLink }[];
  /** Rows that the service rejected, with its reason. */
  failed: readonly { planned: Row; reason: string }[];
  /** Rows whose code is already used by a link of the workspace. */
  taken: readonly Row[];
  /** Rows without a link because the service stopped accepting links before or at the row. */
  left: readonly Row[];
  /** Error that made the service stop accepting links, or null. */
  refusal: TargetError | null;
}

/** Statuses of calls that fail because of a single row: invalid content, or too much of it. */
const ROW_STATUSES = new Set([400, 413]);

/** Creates the links of a batch. If a single row makes the call fail, splits the batch to isolate it. */
export async function createBatch<Row extends { link: Schemas["NewLink"] }>(
  target: ImportTarget,
  batch: readonly Row[],
): Promise<BatchResult<Row>> {
  try {
    const { created, errors } = await target.createLinks(batch.map(({ link }) => link));
    return assign(batch, created, errors);
  } catch (error) {
    if (!(error instanceof TargetError)) throw error;
    if (!ROW_STATUSES.has(error.status)) return { ...NOTHING, left: batch, refusal: error };
    if (batch.length === 1)
      return { ...NOTHING, failed: batch.map((planned) => ({ planned, reason: error.message })) };
    const middle = Math.ceil(batch.length / 2);
    const first = await createBatch(target, batch.slice(0, middle));
    if (first.refusal !== null) return { ...first, left: [...first.left, ...batch.slice(middle)] };
    return join(first, await createBatch(target, batch.slice(middle)));
  }
}

const NOTHING = { created: [], failed: [], taken: [], left: [], refusal: null } as const;

/** Assigns created links and errors to the rows. Links are in the order of the rows without errors. */
function assign<Row>(
  batch: readonly Row[],
  created: readonly ExistingLink[],
  errors: readonly Schemas["BulkError"][],
): BatchResult<Row> {
  const errorsByIndex = new Map(errors.map((error) => [error.index, error]));
  const links = created.values();
  const result = { created: [], failed: [], taken: [], left: [] } as {
    created: { planned: Row; link: ExistingLink }[];
    failed: { planned: Row; reason: string }[];
    taken: Row[];
    left: Row[];
  };
  let refusal: TargetError | null = null;
  for (const [index, planned] of batch.entries()) {
    const error = errorsByIndex.get(index);
    if (error === undefined) {
      const link = links.next().value;
      if (link !== undefined) result.created.push({ planned, link });
    } else if (error.error === "conflict") {
      result.taken.push(planned);
    } else if (error.error === "plan_limit_exceeded") {
      result.left.push(planned);
      refusal ??= new TargetError(403, "PLAN_LIMIT_EXCEEDED", formatBulkError(error));
    } else {
      result.failed.push({ planned, reason: formatBulkError(error) });
    }
  }
  return { ...result, refusal };
}

/** Removes the row's position in the call from an error message. Users know the row by its line instead. */
function formatBulkError({ message }: Schemas["BulkError"]): string {
  return message.replace(/^links\[\d+\](?:: |\.)/, "");
}

function join<Row>(one: BatchResult<Row>, other: BatchResult<Row>): BatchResult<Row> {
  return {
    created: [...one.created, ...other.created],
    failed: [...one.failed, ...other.failed],
    taken: [...one.taken, ...other.taken],
    left: [...one.left, ...other.left],
    refusal: one.refusal ?? other.refusal,
  };
}
