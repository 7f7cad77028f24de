import { and, asc, desc, eq, type SQL, sql } from "drizzle-orm";
import { createValidationError } from "../core/error.ts";
import { formatCount } from "../core/format-count.ts";
import type { Database } from "../db/database.ts";
import { inJson } from "../db/in-json.ts";
import { linkLabels, links } from "../links/links.table.ts";
import type { Tenant } from "../tenant/tenant.ts";

/** Maximum number of links of a label in a report. */
export const LABEL_LINKS_MAX = 1_000;

/** Links of a report: their ids, or their label. */
export type LinkChoice = { linkIds: readonly string[] } | { label: string };

/** Link of a report. */
export interface ReportLink {
  id: string;
  shortCode: string;
  title: string | null;
}

/**
 * Returns the condition for the links of a report that exist. Links in the trash are in another table. Of a
 * label that has got too many links since the report was created, selects the newest.
 */
export function isOfReport(workspaceId: string, choice: LinkChoice): SQL {
  const ids =
    "linkIds" in choice
      ? inJson(links.id, choice.linkIds)
      : sql`${links.id} in (select ${linkLabels.linkId} from ${linkLabels}
          where ${and(eq(linkLabels.workspaceId, workspaceId), eq(linkLabels.label, choice.label))}
          order by ${linkLabels.linkId} desc limit ${LABEL_LINKS_MAX})`;
  return sql`${eq(links.workspaceId, workspaceId)} and ${ids}`;
}

/** Returns the query for the links of a report. */
export function selectReportLinks(db: Database, workspaceId: string, choice: LinkChoice) {
  return db
    .select({ id: links.id, shortCode: links.shortCode, title: links.title })
    .from(links)
    .where(isOfReport(workspaceId, choice))
    .orderBy(asc(links.id));
}

/**
 * Throws `VALIDATION_ERROR` if one of the links doesn't exist, or the label has too many links. No link needs to
 * have the label yet.
 */
export async function requireReportLinks({ db, workspace }: Tenant, choice: LinkChoice): Promise<void> {
  if ("linkIds" in choice) {
    const found = await selectReportLinks(db, workspace.id, choice);
    const known = new Set(found.map(({ id }) => id));
    const index = choice.linkIds.findIndex((id) => !known.has(id));
    if (index !== -1) {
      throw createValidationError({
        field: `links[${index}]`,
        message: "must be the ID of a link in this workspace",
      });
    }
    return;
  }
  const labelled = await db
    .select({ id: linkLabels.linkId })
    .from(linkLabels)
    .where(and(eq(linkLabels.workspaceId, workspace.id), eq(linkLabels.label, choice.label)))
    .orderBy(desc(linkLabels.linkId))
    .limit(1)
    .offset(LABEL_LINKS_MAX);
  if (labelled.length > 0) {
    throw createValidationError({
      field: "label",
      message: `must be on at most ${formatCount(LABEL_LINKS_MAX, "link")}`,
    });
  }
}
