import { and, eq, sql } from "drizzle-orm";
import { toIso } from "../core/time.ts";
import { commitTo, type Outbox, selectEvents, subscribedTo } from "../webhooks/outbox.ts";
import { linkById } from "./link-writes.ts";
import { type Link, links } from "./links.table.ts";

/** Change of a link's destination status, found by checking `destination`. */
export interface StatusChange extends Pick<Link, "id" | "workspaceId" | "destination"> {
  status: Link["destinationStatus"];
  /** Reason why the last check failed. Empty if it succeeded. */
  reason: string;
}

/** Returns the update of a link's status. Skips links whose destination has changed since the check. */
function buildUpdate({ db }: Pick<Outbox, "db">, { id, workspaceId, destination, status }: StatusChange) {
  const isChanged = sql`${links.destinationStatus} is not ${status}`;
  const condition = and(linkById(workspaceId, id), eq(links.destination, destination), isChanged);
  return { condition, update: db.update(links).set({ destinationStatus: status }).where(condition) };
}

/** Stores changes that aren't events, such as the result of a link's first check. */
export async function storeStatuses(outbox: Outbox, changes: readonly StatusChange[]): Promise<void> {
  const [first, ...others] = changes.map((change) => buildUpdate(outbox, change).update);
  if (first !== undefined) await outbox.db.batch([first, ...others]);
}

/**
 * Stores that a destination is broken or has recovered, and sends the event, unless too many deliveries of the
 * workspace are waiting.
 */
export async function announceStatus(
  outbox: Outbox,
  change: StatusChange,
  waitingCap: number,
): Promise<void> {
  const { nowMs } = outbox;
  const { condition, update } = buildUpdate(outbox, change);
  const type = change.status === "broken" ? "link.broken" : "link.recovered";
  const { id, shortCode, destination } = links;
  const columns = {
    link_id: id,
    short_code: shortCode,
    destination,
    checked_at: sql`${toIso(nowMs)}`,
    ...(type === "link.broken" && { reason: sql`${change.reason}` }),
  };
  const event = selectEvents(type, nowMs, columns as never, {
    from: sql`${links} where ${condition}`,
    isReadBefore: true,
  });
  await commitTo(outbox, [update], event, {
    workspaceId: change.workspaceId,
    condition: subscribedTo(type),
    cap: waitingCap,
    isSkipping: true,
  });
}
