import { readUuidTime } from "../core/id.ts";
import { toIso, toIsoOrNull } from "../core/time.ts";
import { formatFirstCountable, WINDOW_AGE_MAX_MS } from "../counting/counted-slices.ts";
import { MESSAGE_KINDS, type MessageKind, parseQueueName } from "../dead-letters/queue-name.ts";
import { type Deployment, executeStatements } from "./admin-database.ts";
import { CommandError } from "./command-error.ts";
import { sql } from "./sql.ts";

/** Maximum number of dead letters (queue messages that failed processing) listed. */
const LISTED_MAX = 1_000;
/** Number of dead letters that one statement marks. */
const STEP_ROWS = 1_000;

/** Parses the name of a queue, such as `scans` or `signpost-production-scans`. */
export function parseQueue(text: string): MessageKind {
  const name = parseQueueName(text);
  if (name !== null) return name.kind;
  throw new CommandError(`${text}: unknown queue; queues are ${MESSAGE_KINDS.join(", ")}`);
}

/**
 * Returns the oldest dead letters of a queue, oldest first. Leaves out the message bodies, which may
 * contain customer data.
 */
export async function listDeadLetters(deployment: Deployment, kind: MessageKind) {
  const [rows = []] = await executeStatements(deployment, "DIRECTORY", [
    sql`SELECT id, failed_at, replay_at, length(CAST(body AS BLOB)) AS bytes, body ->> '$.id' AS window_id FROM dead_letters
         WHERE kind = ${kind} ORDER BY failed_at, id LIMIT ${LISTED_MAX}`,
  ]);
  return rows.map(({ id, failed_at, replay_at, bytes, window_id }) => ({
    id,
    queue: kind,
    bytes,
    failed_at: toIso(Number(failed_at)),
    replay_at: toIsoOrNull(replay_at as number | null),
    countable_until:
      typeof window_id === "string" ? toIso(readUuidTime(window_id) + WINDOW_AGE_MAX_MS) : null,
  }));
}

/**
 * Marks the dead letters of a queue, or one of them, for replay by the cron. Returns the number of newly
 * marked letters, and the number of letters that are too old to be counted and won't be replayed. Throws
 * {@link CommandError} if there is no letter with the ID.
 */
export async function replayDeadLetters(
  deployment: Deployment,
  kind: MessageKind,
  id: string | undefined,
): Promise<{ queue: MessageKind; replayed: number; expired: number }> {
  if (id !== undefined) await requireDeadLetter(deployment, kind, id);
  const selected = id === undefined ? sql`kind = ${kind}` : sql`kind = ${kind} AND id = ${id}`;
  const nowMs = Date.now();
  const isExpired = sql`coalesce(body ->> '$.id' < ${formatFirstCountable(nowMs)}, false)`;
  const mark = `${sql`UPDATE dead_letters SET replay_at = ${nowMs} WHERE id IN (SELECT id FROM dead_letters WHERE `}${selected}
    AND NOT ${isExpired} AND replay_at IS NULL ORDER BY failed_at LIMIT ${STEP_ROWS}) RETURNING id`;
  let replayed = 0;
  for (let marked = STEP_ROWS; marked === STEP_ROWS; replayed += marked) {
    const [rows = []] = await executeStatements(deployment, "DIRECTORY", [mark]);
    marked = rows.length;
  }
  const [[left] = []] = await executeStatements(deployment, "DIRECTORY", [
    `SELECT count(*) AS expired FROM dead_letters WHERE ${selected} AND ${isExpired}`,
  ]);
  return { queue: kind, replayed, expired: Number(left?.expired) };
}

async function requireDeadLetter(deployment: Deployment, kind: MessageKind, id: string): Promise<void> {
  const [rows = []] = await executeStatements(deployment, "DIRECTORY", [
    sql`SELECT id FROM dead_letters WHERE kind = ${kind} AND id = ${id}`,
  ]);
  if (rows.length === 0) throw new CommandError(`dead letter ${id} of ${kind} not found`);
}
