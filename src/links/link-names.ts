import { and, eq } from "drizzle-orm";
import { inJson } from "../db/in-json.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { links } from "./links.table.ts";

/** Fields by which people recognize a link. */
export interface LinkNames {
  short_code: string;
  title: string | null;
  destination: string;
}

/** Returns the names of the workspace's links with these ids. Leaves out deleted and unknown links. */
export async function findLinkNames(
  { db, workspace }: Tenant,
  linkIds: readonly string[],
): Promise<Map<string, LinkNames>> {
  if (linkIds.length === 0) return new Map();
  const rows = await db
    .select({ id: links.id, short_code: links.shortCode, title: links.title, destination: links.destination })
    .from(links)
    .where(and(eq(links.workspaceId, workspace.id), inJson(links.id, linkIds)));
  return new Map(rows.map(({ id, ...names }) => [id, names]));
}
