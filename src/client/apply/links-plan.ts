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
  field: ManagedField | "code" | "external_id" | "aliases";
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
  const links = matchLinks(desired, current);
  const created: DesiredLink[] = [];
  const changed: LinkChange[] = [];
  for (const each of desired) {
    const link = links.get(each);
    if (link === undefined) {
      created.push(each);
      continue;
    }
    const changes = listChanges(link, each);
    if (changes.length > 0) changed.push({ link, desired: each, changes });
  }
  const named = new Set(links.values());
  return {
    created,
    changed,
    unchanged: desired.length - created.length - changed.length,
    absent: current.filter((link) => !named.has(link)),
  };
}

/** Finds the existing link of each link in the file: by its external id, otherwise by its code. */
function matchLinks(desired: readonly DesiredLink[], current: readonly Link[]): Map<DesiredLink, Link> {
  const byId = new Map(current.map((link) => [link.external_id, link]));
  const byCode = new Map(current.map((link) => [toLinkKey(link.short_code), link]));
  const identified = desired.flatMap((each): [DesiredLink, Link][] => {
    const link = each.externalId === null ? undefined : byId.get(each.externalId);
    return link === undefined ? [] : [[each, link]];
  });
  const found = new Map(identified);
  const taken = new Set(found.values());
  for (const each of desired) {
    const link = each.code === null ? undefined : byCode.get(toLinkKey(each.code));
    if (link !== undefined && !taken.has(link) && !found.has(each)) found.set(each, link);
  }
  return found;
}

function listChanges(link: Link, desired: DesiredLink): FieldChange[] {
  const before = readFields(link);
  return [...listNameChanges(link, desired), ...listFieldChanges(before, desired)];
}

function listNameChanges(link: Link, { code, externalId, aliases }: DesiredLink): FieldChange[] {
  const isRenamed = code !== null && toLinkKey(code) !== toLinkKey(link.short_code);
  const isIdentified = externalId !== null && externalId !== link.external_id;
  const added = aliases.filter((alias) => !link.aliases.includes(alias) && alias !== link.short_code);
  return [
    ...(isRenamed ? [{ field: "code" as const, before: link.short_code, after: code }] : []),
    ...(isIdentified ? [{ field: "external_id" as const, before: link.external_id, after: externalId }] : []),
    ...(added.length > 0
      ? [{ field: "aliases" as const, before: link.aliases, after: [...link.aliases, ...added] }]
      : []),
  ];
}

function listFieldChanges(before: ReturnType<typeof readFields>, desired: DesiredLink): FieldChange[] {
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
