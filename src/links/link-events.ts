import { is, SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { ColumnChanges } from "../audit/describe-changes.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { type EventColumns, type OutboxEvent, selectEvents } from "../webhooks/outbox.ts";
import { type Link, links } from "./links.table.ts";

/** New columns of updated links. */
export interface LinkColumns {
  columns: ColumnChanges<typeof links>;
  /** Table with a row for each link, if the columns are expressions over its rows. Its `key` orders the links. */
  items?: SQL;
}

/**
 * Change of links: which links, and for an update also their new columns. Committing a change requires its
 * description, so that its events and log entries are written in the same transaction.
 */
export type LinkChange =
  | { type: "link.created" | "link.restored"; ids: readonly string[] }
  | ({ type: "link.updated"; condition: SQL | undefined } & LinkColumns)
  | { type: "link.deleted"; condition: SQL | undefined; isPermanent: boolean };

/** Returns an event for each link of a change. */
export function buildLinkEvents({ nowMs }: Tenant, change: LinkChange): OutboxEvent {
  if (!("condition" in change)) return buildNewEvents(nowMs, change);
  const { columns, items }: LinkColumns = change.type === "link.updated" ? change : { columns: {} };
  return selectEvents(change.type, nowMs, describeState(columns), {
    from: sql`${joinItems(items)} where ${change.condition}`,
    ordinal: items === undefined ? sql`row_number() over (order by ${links.id})` : sql`item.key`,
    isReadBefore: true,
  });
}

/** Returns the tables of an update: the links, and the items that have their new values. */
export function joinItems(items: SQL | undefined): SQL {
  // The order of a cross join is fixed, so links are found by their ids.
  return items === undefined ? sql`${links}` : sql`${items} cross join ${links}`;
}

/**
 * Returns an event for each created or restored link. A link that wasn't inserted because its code was taken gets
 * no event.
 */
function buildNewEvents(nowMs: number, { type, ids }: Extract<LinkChange, { ids: unknown }>): OutboxEvent {
  const source = {
    from: sql`json_each(${JSON.stringify(ids)}) as item join ${links} on ${links.id} = item.value`,
    ordinal: sql`item.key`,
  };
  if (type === "link.restored") return selectEvents(type, nowMs, describeState({}), source);
  const { id, shortCode, destination } = links;
  return selectEvents(type, nowMs, { link_id: id, short_code: shortCode, destination }, source);
}

/**
 * Returns the links' state after a change: the columns that the change sets, and current values for the
 * others.
 */
function describeState(columns: ColumnChanges<typeof links>): EventColumns<"link.updated"> {
  const after = (name: keyof typeof links & keyof Link): SQLWrapper => {
    const value = columns[name];
    if (value === undefined) return links[name];
    if (typeof value === "boolean") return sql`${Number(value)}`;
    return sql`${typeof value === "object" && value !== null && !is(value, SQL) ? JSON.stringify(value) : value}`;
  };
  const timeAfter = (name: keyof typeof links & keyof Link) =>
    sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${after(name)} / 1000.0, 'unixepoch')`;
  return {
    link_id: links.id,
    short_code: after("shortCode"),
    aliases: sql`json(${after("aliases")})`,
    destination: after("destination"),
    enabled: after("enabled"),
    title: after("title"),
    note: after("note"),
    archived: after("archived"),
    starts_at: timeAfter("startsAt"),
    expires_at: timeAfter("expiresAt"),
    early_url: after("earlyUrl"),
    expired_url: after("expiredUrl"),
    max_scans: sql`cast(${after("maxScans")} as integer)`,
    has_password: sql`${after("passwordHash")} is not null`,
    preview: sql`json(${after("preview")})`,
    forward_query: after("forwardQuery"),
    confirm: after("confirm"),
    imported_scans: sql`cast(${after("importedScans")} as integer)`,
  };
}
