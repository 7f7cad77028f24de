// Pure: no I/O, clock or randomness.
import { applyOperation, type Draft, type PatchOperation } from "./apply-patch.ts";
import { GROUP_KIND, type PatchPath, parsePatchPath } from "./patch-path.ts";
import { createInputError } from "./scim-error.ts";
import { type Filter, normalizePath } from "./scim-filter.ts";

/** Maximum number of members that one request can add, remove or set. */
export const MEMBERS_PER_REQUEST_MAX = 1_000;

/** Combined member changes of all operations in a request. */
export class MemberChange {
  /** True if the group will have only the added members. */
  isReplaced = false;
  readonly added = new Set<string>();
  readonly removed = new Set<string>();

  add(ids: readonly string[]): void {
    for (const id of ids) {
      this.added.add(id);
      this.removed.delete(id);
    }
    this.#limit();
  }

  remove(ids: readonly string[]): void {
    for (const id of ids) {
      this.removed.add(id);
      this.added.delete(id);
    }
    this.#limit();
  }

  replace(ids: readonly string[]): void {
    this.isReplaced = true;
    this.added.clear();
    this.removed.clear();
    this.add(ids);
  }

  /** True if there is anything to change. */
  get isAny(): boolean {
    return this.isReplaced || this.added.size > 0 || this.removed.size > 0;
  }

  #limit(): void {
    if (this.added.size + this.removed.size <= MEMBERS_PER_REQUEST_MAX) return;
    throw createInputError(
      "invalidValue",
      `members: a request can contain at most ${MEMBERS_PER_REQUEST_MAX}. Send the others in further PATCH requests.`,
    );
  }
}

/** Applies the operations of a group PATCH to the draft of its attributes. Returns the member changes. */
export function applyToGroup(draft: Draft, operations: readonly PatchOperation[]): MemberChange {
  const change = new MemberChange();
  for (const operation of operations) {
    const place = operation.path === null ? null : parsePatchPath(operation.path, GROUP_KIND);
    if (place?.attribute.name === "members") changeMembers(change, operation, place);
    else applyOperation(draft, takeMembers(change, operation), GROUP_KIND);
  }
  return change;
}

/** Applies all attributes of a group sent by POST or PUT. Without `members`, the group has no members. */
export function applyWholeGroup(draft: Draft, resource: Readonly<Record<string, unknown>>): MemberChange {
  const change = applyToGroup(draft, [{ verb: "replace", path: null, value: resource }]);
  if (!change.isReplaced) change.replace([]);
  return change;
}

/** Removes `members` from the value of an operation without a path, and adds it to the member changes. */
function takeMembers(change: MemberChange, operation: PatchOperation): PatchOperation {
  const { value, path, verb } = operation;
  if (path !== null || typeof value !== "object" || value === null || Array.isArray(value)) return operation;
  const isMembers = ([name]: [string, unknown]) => normalizePath(name) === "members";
  const entries = Object.entries(value);
  for (const [, ids] of entries.filter(isMembers)) {
    // Okta sends `"members": null` for groups shown without members.
    if (ids === null || ids === undefined) continue;
    if (verb === "add") change.add(readIds(ids));
    else change.replace(readIds(ids));
  }
  return { ...operation, value: Object.fromEntries(entries.filter((entry) => !isMembers(entry))) };
}

function changeMembers(
  change: MemberChange,
  { verb, value }: PatchOperation,
  { filter, sub }: PatchPath,
): void {
  if (sub !== null)
    throw createInputError("mutability", "members cannot be changed, only added and removed.");
  if (filter !== null) {
    if (verb !== "remove")
      throw createInputError("invalidPath", "A filter on members is only allowed with remove.");
    change.remove(readFilteredIds(filter));
  } else if (verb === "add") change.add(readIds(value));
  else if (verb === "replace") change.replace(readIds(value));
  else if (value === undefined || value === null) change.replace([]);
  else change.remove(readIds(value));
}

/** Reads member ids, given as `{"value": id}` or, by some clients, as strings. */
function readIds(value: unknown): string[] {
  const values = value === null || value === undefined ? [] : Array.isArray(value) ? value : [value];
  return values.map((member: unknown) => {
    const id = typeof member === "object" && member !== null && "value" in member ? member.value : member;
    if (typeof id !== "string")
      throw createInputError("invalidValue", "value of a member must be the id of a user.");
    return id;
  });
}

/** Reads the ids of `members[value eq "id"]`, or of several such conditions joined by `or`. */
function readFilteredIds(filter: Filter): string[] {
  if (filter.kind === "or") return filter.filters.flatMap(readFilteredIds);
  if (filter.kind === "comparison" && filter.path === "value" && filter.comparison === "eq") {
    return [String(filter.value)];
  }
  throw createInputError("invalidFilter", 'Members must be selected as members[value eq "id"].');
}
