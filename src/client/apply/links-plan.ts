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

/** Changes that make the links of a workspace those of a file. */

/** Field of a link that changes. */
export interface FieldChange {
  field: ManagedField;
  before: unknown;
  after: unknown;
}

/** Link that is there and differs from the file. */
export interface LinkChange {
  link: Link;
  desired: DesiredLink;
  changes: readonly FieldChange[];
}

export interface LinksPlan {
  /** Links that are made, in the order of the file. */
  created: readonly DesiredLink[];
  /** Links that are changed, in the order of the file. */
  changed: readonly LinkChange[];
  /** Number of links that are as the file says. */
  unchanged: number;
  /** Links of the workspace that the file does not name. */
  absent: readonly Link[];
}

/** Compares the links of a file with those of the workspace. */
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

/** Returns the links of a plan that need a password: those that are made with one, or get their first. */
export function listPasswordNeeds({ created, changed }: LinksPlan): DesiredLink[] {
  const changedToOne = changed
    .filter(({ changes }) => changes.some(({ field, after }) => field === "has_password" && after === true))
    .map(({ desired }) => desired);
  return [...created.filter(({ fields }) => fields.has_password), ...changedToOne];
}

/** Returns the fields of a link that are not as they are by default, without its password. */
export function listGivenFields(fields: DesiredLink["fields"]): Record<string, unknown> {
  const { url, ...others } = fields;
  const given = Object.entries(others).filter(
    ([name, value]) =>
      name !== "has_password" && !isSameValue(value, DEFAULTS[name as keyof typeof DEFAULTS]),
  );
  return { url, ...Object.fromEntries(given) };
}
