// Pure: no I/O, clock or randomness.
import {
  DEFAULTS,
  type DesiredLink,
  isSameValue,
  type Link,
  MANAGED_FIELDS,
  type ManagedField,
  readFields,
  toLinkKey,
} from "./desired-link.ts";

/** Computes the changes that make a workspace's links match a file. */

export interface FieldChange {
  field: ManagedField;
  before: unknown;
  after: unknown;
}

/** Existing link that differs from the file. */
export interface LinkChange {
  link: Link;
  desired: DesiredLink;
  changes: readonly FieldChange[];
}

export interface LinksPlan {
  /** Links to create, in the order of the file. */
  created: readonly DesiredLink[];
  /** Links to change, in the order of the file. */
  changed: readonly LinkChange[];
  /** Number of links that already match the file. */
  unchanged: number;
  /** Links of the workspace that aren't in the file. */
  absent: readonly Link[];
}

/** Compares the links of a file with the workspace's links. */
export function planLinks(desired: readonly DesiredLink[], current: readonly Link[]): LinksPlan {
  const links = new Map(current.map((link) => [toLinkKey(link.short_code), link]));
  const created: DesiredLink[] = [];
  const changed: LinkChange[] = [];
  for (const each of desired) {
    const link = links.get(toLinkKey(each.code));
    if (link === undefined) {
      created.push(each);
      continue;
    }
    const changes = listChanges(link, each);
    if (changes.length > 0) changed.push({ link, desired: each, changes });
  }
  const named = new Set(desired.map(({ code }) => toLinkKey(code)));
  return {
    created,
    changed,
    unchanged: desired.length - created.length - changed.length,
    absent: current.filter(({ short_code }) => !named.has(toLinkKey(short_code))),
  };
}

function listChanges(link: Link, desired: DesiredLink): FieldChange[] {
  const before = readFields(link);
  return MANAGED_FIELDS.flatMap((field) =>
    isSameValue(before[field], desired.fields[field])
      ? []
      : [{ field, before: before[field], after: desired.fields[field] }],
  );
}

/** Returns the links that need a password: new links, and existing links that get their first password. */
export function listPasswordNeeds({ created, changed }: LinksPlan): DesiredLink[] {
  const changedToOne = changed
    .filter(({ changes }) => changes.some(({ field, after }) => field === "has_password" && after === true))
    .map(({ desired }) => desired);
  return [...created.filter(({ fields }) => fields.has_password), ...changedToOne];
}

/** Returns the fields of a link that differ from their defaults, without the password. */
export function listGivenFields(fields: DesiredLink["fields"]): Record<string, unknown> {
  const { url, ...others } = fields;
  const given = Object.entries(others).filter(
    ([name, value]) =>
      name !== "has_password" && !isSameValue(value, DEFAULTS[name as keyof typeof DEFAULTS]),
  );
  return { url, ...Object.fromEntries(given) };
}
