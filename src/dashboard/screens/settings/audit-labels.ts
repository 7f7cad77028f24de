// Pure: no I/O, clock or randomness.
import type { ResourceType } from "../../../audit/resource-type.ts";
import { KEPT_MS } from "../../../trash/trash-limits.ts";
import type { Schemas } from "../../data/schemas.ts";
import type { TrashType } from "./trash-item.ts";

/** Describes entries of the audit log. */

export type Entry = Schemas["AuditEntry"];

/** Names of the resource types. */
export const TYPE_NAMES: Record<ResourceType, string> = {
  link: "link",
  qr_template: "QR template",
  bio_page: "bio page",
  asset: "file",
  webhook: "webhook endpoint",
  domain: "domain",
  report: "shared report",
  key: "API key",
  member: "member",
  invitation: "invitation",
  passkey: "passkey",
  session: "session",
  group: "group",
  scim_token: "provisioning token",
  workspace: "workspace",
};

/** Past tense of operations and administrator commands that don't follow the pattern of `VERBS`. */
const DEEDS: Readonly<Record<string, string>> = {
  "sign-in-link": "created a sign-in link for",
  acceptInvitation: "accepted an invitation as",
  bulkCreateLinks: "created",
  bulkUpdateLinks: "changed",
  bulkUpdateLinkStatus: "changed",
  presignUpload: "started uploading",
  confirmUpload: "uploaded",
  resendDelivery: "resent a delivery to",
  revertLink: "reverted a change to",
  rotateWebhookSecret: "rotated the signing secret of",
  testWebhook: "sent a test event to",
  upsertLink: "saved",
};

/** Deed whose sentence doesn't name a resource. */
export const SIGNED_IN = "signed in";

/** Past tense of the verbs that operation ids start with and administrator commands end with. */
const VERBS: Readonly<Record<string, string>> = {
  add: "added",
  ban: "banned",
  create: "created",
  delete: "deleted",
  end: "signed out of",
  move: "moved",
  publish: "published",
  recover: "created a recovery link for",
  remove: "removed",
  restore: "restored",
  resume: "resumed",
  revoke: "revoked",
  rotate: "rotated",
  "set-plan": "changed the plan of",
  "set-role": "changed the role of",
  sign: SIGNED_IN,
  suspend: "suspended",
  unban: "lifted the ban of",
  unpublish: "unpublished",
  update: "changed",
  verify: "verified",
};

/** Describes what an operation or an administrator command did. Returns null for unknown ones. */
export function describeDeed(operation: string): string | null {
  const verb = /^[a-z]+(?=[A-Z])|(?<= )[a-z-]+$/.exec(operation)?.[0] ?? "";
  return DEEDS[operation] ?? VERBS[verb] ?? null;
}

/** Past tense of a change of one field, by field. */
const FIELD_DEEDS: Readonly<Record<string, (after: unknown) => string>> = {
  archived: (after) => (after ? "archived" : "unarchived"),
  enabled: (after) => (after ? "enabled" : "disabled"),
  labels: () => "labelled",
};

/** Describes what an entry changed, more precisely than {@link describeDeed} if it changed a single field. */
export function describeChange({ operation, changes }: Entry): string | null {
  const [, hasLeft] = changes.creator_has_left ?? [];
  if (hasLeft !== undefined) {
    return hasLeft ? "ended the membership of the creator of" : "restored the membership of the creator of";
  }
  const deed = describeDeed(operation);
  const [[field = "", [, after]] = ["", []], ...others] = Object.entries(changes);
  return (deed === "changed" && others.length === 0 && FIELD_DEEDS[field]?.(after)) || deed;
}

/** Returns true if an entry is about the creation of its resource, which had no values before. */
export function isCreation({ operation, changes }: Entry): boolean {
  const isNew = /created|added|signed in/.test(describeDeed(operation) ?? "");
  return isNew && Object.values(changes).every(([before]) => before === null);
}

/** Fields that identify a resource to users, best first. */
const NAME_FIELDS = ["short_code", "hostname", "name", "filename", "title", "slug", "email", "url"] as const;

/**
 * Finds the name of the changed resource in the changes of an entry. Returns null if they don't contain it.
 */
export function findName({ changes, resource }: Entry): string | null {
  return pickName(resource.type, (field) => changes[field]?.[1] ?? changes[field]?.[0]);
}

/** Picks the name of a resource from its fields. Returns null if it has none. */
export function pickName(type: ResourceType, read: (field: string) => unknown): string | null {
  for (const field of NAME_FIELDS) {
    const name = read(field);
    if (typeof name === "string" && name !== "")
      return field === "short_code" && type === "link" ? `/${name}` : name;
  }
  return null;
}

/** Collects resource names by id. Entries are newest first, so each resource gets its latest name. */
export function collectNames(entries: readonly Entry[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const entry of entries) {
    const name = findName(entry);
    if (name !== null && !names.has(entry.resource.id)) names.set(entry.resource.id, name);
  }
  return names;
}

/** Returns the dashboard URL of a resource, or null if the entry deleted it. */
export function findAddress({ operation, resource: { type, id } }: Entry): string | null {
  if (/^(?:delete|end|remove|revokeReport$)/.test(operation)) return null;
  const addresses: Record<ResourceType, string> = {
    link: `/links?link=${id}`,
    qr_template: "/qr",
    bio_page: "/pages",
    asset: "/assets",
    webhook: `/webhooks/${id}`,
    domain: `/settings/domains?domain=${id}`,
    report: "/settings/reports",
    key: "/settings/keys",
    member: "/settings/people",
    invitation: "/settings/people",
    passkey: "/settings/sessions",
    session: "/settings/sessions",
    group: "/settings/people",
    scim_token: "/settings/people",
    workspace: "/settings/workspace",
  };
  return addresses[type];
}

/** Returns true if the API can revert an entry. It must be a change of a link, and not its creation. */
export function isRevertible({ resource, changes }: Entry): boolean {
  const isChange = Object.keys(changes).length > 0 && !changes.short_code && !changes.permanent;
  return resource.type === "link" && isChange;
}

/** Returns the type of the items in the trash that an entry's item belongs to, or null if it isn't in the trash. */
export function findTrashType({ at, operation, resource, changes }: Entry, nowMs: number): TrashType | null {
  const types: Partial<Record<ResourceType, TrashType>> = {
    link: "links",
    bio_page: "pages",
    qr_template: "templates",
  };
  const isKept = operation.startsWith("delete") && !changes.permanent && Date.parse(at) > nowMs - KEPT_MS;
  return isKept ? (types[resource.type] ?? null) : null;
}

/** Text that follows the name of an actor, by type of actor. */
export const ACTOR_LABELS: Record<Entry["actor"]["type"], string> = {
  key: "API key",
  person: "",
  admin: "administrator",
  scim: "identity provider",
};
