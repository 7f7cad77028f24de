import { and, eq } from "drizzle-orm";
import {
  type Change,
  created,
  defineResource,
  deleted,
  shownAs,
  updated,
} from "../audit/describe-changes.ts";
import { inJson } from "../db/in-json.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { joinItems, type LinkChange } from "./link-events.ts";
import { links } from "./links.table.ts";

/**
 * Fields of links in the audit log: all fields that callers set. Previous values are logged in full, whatever
 * their size, so that they can be restored.
 */
const auditedLink = defineResource("link", links, {
  short_code: "shortCode",
  destination: shownAs("restorable", "destination"),
  enabled: "enabled",
  labels: shownAs("restorable", "labels"),
  aliases: shownAs("restorable", "aliases"),
  external_id: "externalId",
  qr_template_id: "qrTemplateId",
  former_codes: shownAs("restorable", "formerCodes"),
  routing_rules: shownAs("restorable", "routingRules"),
  expires_at: shownAs("time", "expiresAt"),
  title: "title",
  note: shownAs("restorable", "note"),
  archived: "archived",
  starts_at: shownAs("time", "startsAt"),
  early_url: shownAs("restorable", "earlyUrl"),
  expired_url: shownAs("restorable", "expiredUrl"),
  max_scans: "maxScans",
  has_password: shownAs("is_set", "passwordHash"),
  password: shownAs("secret", "passwordHash"),
  preview: shownAs("restorable", "preview"),
  forward_query: "forwardQuery",
  confirm: "confirm",
  imported_scans: "importedScans",
});

/** Describes a change of links for the audit log. */
export function describeLinkChange({ workspace }: Tenant, change: LinkChange): Change {
  if (change.type === "link.updated") {
    return updated(auditedLink, change.condition, change.columns, {}, joinItems(change.items));
  }
  if (change.type === "link.deleted") return deleted(auditedLink, change.condition, change);
  return created(auditedLink, and(eq(links.workspaceId, workspace.id), inJson(links.id, change.ids)));
}
