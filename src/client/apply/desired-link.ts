import type { components } from "../schema.d.ts";

/** Links as a file describes them, and as the workspace has them, in the same terms. */

export type Link = components["schemas"]["Link"];

/** Fields of a link that a file decides, in the order in which a file has them. */
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
  > {
  url: string;
}

export type ManagedField = keyof ManagedFields;

/** Values that a link has if its file does not name them. */
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
};

/** Names of the managed fields, in their order. */
export const MANAGED_FIELDS = ["url", ...Object.keys(DEFAULTS)] as readonly ManagedField[];

/** Link of a file. */
export interface DesiredLink {
  code: string;
  fields: ManagedFields;
  /** Environment variable with the password that the link gets if it has none. */
  passwordVariable: string | null;
  /** Used only when the link is made. */
  importedScans: number;
  /** Used only when the link is made; null is the time of its making. */
  createdAt: string | null;
  /** Line of the file on which the link begins, from 1. */
  line: number;
}

/** Returns the managed fields of a link that the workspace has. */
export function readFields({ destination, ...link }: Link): ManagedFields {
  const all = { ...link, url: destination };
  return Object.fromEntries(MANAGED_FIELDS.map((name) => [name, all[name]])) as unknown as ManagedFields;
}

/** Returns the key by which a code names its link: in any case. */
export function toLinkKey(code: string): string {
  return code.toLowerCase();
}

/** Returns true if two values are equal. The order of the members of objects makes no difference. */
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
