// Pure: no I/O, clock or randomness.
import type { components } from "../schema.d.ts";

/** Describes links from a file and links of a workspace in the same form, so that they can be compared. */

export type Link = components["schemas"]["Link"];

/** Fields of a link that a file manages, in the order in which files list them. */
export interface ManagedFields
  extends Pick<
    Link,
    | "title"
    | "note"
    | "labels"
    | "enabled"
    | "archived"
    | "routing_rules"
    | "starts_at"
    | "early_url"
    | "expires_at"
    | "expired_url"
    | "max_scans"
    | "has_password"
    | "preview"
    | "forward_query"
    | "confirm"
    | "qr_template_id"
  > {
  url: string;
}

export type ManagedField = keyof ManagedFields;

/** Values of fields that a file doesn't set. */
export const DEFAULTS: Omit<ManagedFields, "url"> = {
  title: null,
  note: null,
  labels: [],
  enabled: true,
  archived: false,
  routing_rules: [],
  starts_at: null,
  early_url: null,
  expires_at: null,
  expired_url: null,
  max_scans: null,
  has_password: false,
  preview: null,
  forward_query: false,
  confirm: false,
  qr_template_id: null,
};

/** Names of the managed fields, in order. */
export const MANAGED_FIELDS = ["url", ...Object.keys(DEFAULTS)] as readonly ManagedField[];

/** Link as described in a file. */
export interface DesiredLink {
  /** Short code or, without one, the external id. Identifies the link in messages. */
  name: string;
  /** Null if the file leaves the choice to the service. */
  code: string | null;
  /** Null if the file doesn't set it. */
  externalId: string | null;
  /** Aliases that the link must have. It keeps the others, because they may be former short codes. */
  aliases: readonly string[];
  fields: ManagedFields;
  /** Environment variable with the password, used if the link doesn't have a password yet. */
  passwordVariable: string | null;
  /** Only used when the link is created. */
  importedScans: number;
  /** Only used when the link is created. Null means the time of creation. */
  createdAt: string | null;
  /** Line of the file where the link begins, starting at 1. */
  line: number;
}

/** Returns the managed fields of an existing link. */
export function readFields({ destination, ...link }: Link): ManagedFields {
  const all = { ...link, url: destination };
  return Object.fromEntries(MANAGED_FIELDS.map((name) => [name, all[name]])) as unknown as ManagedFields;
}

/** Returns the key for looking up a link by code. Codes are case-insensitive. */
export function toLinkKey(code: string): string {
  return code.toLowerCase();
}

/** Returns true if two values are deeply equal. The order of object members doesn't matter. */
export function isSameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [ones, others] = [Object.entries(one), other as Record<string, unknown>];
  return (
    ones.length === Object.keys(others).length &&
    ones.every(([name, value]) => Object.hasOwn(others, name) && isSameValue(value, others[name]))
  );
}
