import { formatDeletedSlug } from "../tenant/deleted-slug.ts";
import { sql } from "./sql.ts";

/**
 * Returns the statements that delete a workspace for everybody at once: keys are unknown, short hosts have no links, pages
 * are not published, endpoints receive nothing. Everything else is erased later.
 */
export function buildDeletion(id: string, slug: string, nowMs: number): string[] {
  return [
    sql`DELETE FROM api_keys WHERE workspace_id = ${id}`,
    sql`DELETE FROM domains WHERE workspace_id = ${id}`,
    sql`UPDATE bio_pages SET is_published = FALSE WHERE workspace_id = ${id}`,
    sql`UPDATE webhooks SET enabled = FALSE WHERE workspace_id = ${id}`,
    sql`UPDATE workspaces SET slug = ${formatDeletedSlug(slug, nowMs)}, name = '', description = '' WHERE id = ${id}`,
  ];
}
