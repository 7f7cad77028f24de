// Pure: no I/O, clock or randomness.
import { isJsonObject } from "../core/json-object.ts";
import { isSimpleEquality, matchesElement } from "./element-filter.ts";
import { type PatchPath, parsePatchPath, type ResourceKind } from "./patch-path.ts";
import type { Attribute } from "./scim-attributes.ts";
import { createInputError, type ScimError } from "./scim-error.ts";

/** Value of a multi-valued attribute, by sub-attribute name. */
export type Element = Readonly<Record<string, string | boolean>>;
type Value = string | boolean | Element | readonly Element[];

/** Stored attributes of a resource, by name. Attributes without a value are missing. */
export type Draft = Map<string, Value>;

export type PatchVerb = "add" | "replace" | "remove";

/** Operation of a PATCH request. */
export interface PatchOperation {
  verb: PatchVerb;
  /** Null if `value` contains the attributes. */
  path: string | null;
  value: unknown;
}

/** Maximum number of values of a user's multi-valued attribute. */
const ELEMENTS_MAX = 50;
const TEXT_MAX_LENGTH = 1_000;

/**
 * Applies all attributes of a resource sent by POST or PUT to a draft. Ignores read-only attributes and
 * attributes that aren't stored.
 */
export function applyResource(draft: Draft, resource: Readonly<Record<string, unknown>>, kind: ResourceKind) {
  applyValues(draft, "replace", resource, kind);
}

/** Applies a PATCH operation to a draft (RFC 7644 section 3.5.2). Throws a {@link ScimError}. */
export function applyOperation(
  draft: Draft,
  { verb, path, value }: PatchOperation,
  kind: ResourceKind,
): void {
  if (path !== null) {
    const place = parsePatchPath(path, kind);
    if (place !== null) applyAt(draft, verb, requireWritable(place), value);
    return;
  }
  if (verb === "remove") throw createInputError("noTarget", "An operation `remove` must have a path.");
  if (!isJsonObject(value)) throw createValueError("an operation without a path", "an object");
  applyValues(draft, verb, value, kind);
}

/** Applies each member of an object as an operation, using the member's name as path. */
function applyValues(draft: Draft, verb: PatchVerb, values: object, kind: ResourceKind): void {
  for (const [name, value] of Object.entries(values)) {
    const place = findPlace(name, kind);
    if (place !== null && place.attribute.mutability !== "readOnly") applyAt(draft, verb, place, value);
  }
}

/**
 * Parses a member's name as a path. Returns null if the attribute isn't stored, because resources may have
 * other attributes.
 */
function findPlace(name: string, kind: ResourceKind): PatchPath | null {
  try {
    return parsePatchPath(name, kind);
  } catch {
    return null;
  }
}

function requireWritable(place: PatchPath): PatchPath {
  if (place.attribute.mutability === "readOnly") {
    throw createInputError("mutability", `${place.attribute.name} cannot be changed.`);
  }
  return place;
}

function applyAt(draft: Draft, verb: PatchVerb, place: PatchPath, value: unknown): void {
  const { attribute, sub } = place;
  const { name } = attribute;
  if (attribute.multiValued === true) {
    const elements = (draft.get(name) ?? []) as readonly Element[];
    setOrDelete(draft, name, changeElements(elements, verb, place, value));
  } else if (attribute.type !== "complex") {
    setOrDelete(draft, name, verb === "remove" ? null : readSimple(attribute, name, value));
  } else {
    const members = (draft.get(name) ?? {}) as Element;
    const changed =
      sub === null ? changeMembers(members, verb, attribute, value) : setMember(members, verb, sub, value);
    setOrDelete(draft, name, changed);
  }
}

/** Sets an attribute. Empty values delete it (RFC 7643 section 2.5). */
function setOrDelete(draft: Draft, name: string, value: Value | null): void {
  const isEmpty =
    value === null || value === "" || (typeof value === "object" && Object.keys(value).length === 0);
  // Keeps empty lists, because they show that the client has sent one.
  if (isEmpty && !Array.isArray(value)) draft.delete(name);
  else draft.set(name, value as Value);
}

/** Changes parts of a complex attribute. Parts that the value doesn't contain stay unchanged. */
function changeMembers(members: Element, verb: PatchVerb, attribute: Attribute, value: unknown): Element {
  if (verb === "remove" || value === null) return {};
  return readMembers(attribute, value, members);
}

function setMember(members: Element, verb: PatchVerb, sub: Attribute, value: unknown): Element {
  const { [sub.name]: _, ...others } = members;
  const read = verb === "remove" ? null : readSimple(sub, sub.name, value);
  return read === null ? others : { ...others, [sub.name]: read };
}

function changeElements(
  elements: readonly Element[],
  verb: PatchVerb,
  place: PatchPath,
  value: unknown,
): readonly Element[] {
  const { attribute, filter, sub } = place;
  if (filter === null && sub === null) return changeList(elements, verb, attribute, value);
  const isChosen = (element: Element) => filter === null || matchesElement(filter, element);
  if (verb === "remove") {
    if (sub === null) return elements.filter((element) => !isChosen(element));
    return elements.map((element) => (isChosen(element) ? setMember(element, verb, sub, value) : element));
  }
  const change = (element: Element) =>
    sub === null ? readMembers(attribute, value, element) : setMember(element, verb, sub, value);
  if (elements.some(isChosen)) {
    return elements.map((element) => (isChosen(element) ? change(element) : element));
  }
  // Microsoft Entra adds an address with `emails[type eq "work"].value`, although no value matches yet.
  if (filter !== null && !isSimpleEquality(filter)) {
    throw createInputError("noTarget", `No value of ${attribute.name} matches the filter of the path.`);
  }
  const fresh = filter === null ? {} : readMembers(attribute, { [filter.path]: filter.value }, {});
  return limitElements(attribute, [...elements, change(fresh)]);
}

function changeList(
  elements: readonly Element[],
  verb: PatchVerb,
  attribute: Attribute,
  value: unknown,
): readonly Element[] {
  if (verb === "remove" && (value === undefined || value === null)) return [];
  const given = readElements(attribute, value);
  const isGiven = (element: Element) => given.some((other) => hasSameValue(element, other));
  if (verb === "replace") return given;
  const others = elements.filter((element) => !isGiven(element));
  if (verb === "remove") return others;
  const hasPrimary = given.some(({ primary }) => primary === true);
  const kept = hasPrimary ? others.map((element) => ({ ...element, primary: false })) : others;
  return limitElements(attribute, [...kept, ...given]);
}

function hasSameValue(one: Element, other: Element): boolean {
  return String(one.value).toLowerCase() === String(other.value).toLowerCase();
}

function readElements(attribute: Attribute, value: unknown): readonly Element[] {
  if (value === null || value === undefined) return [];
  const values = Array.isArray(value) ? value : [value];
  limitElements(attribute, values);
  return values.map((member) =>
    readMembers(attribute, typeof member === "string" ? { value: member } : member, {}),
  );
}

function limitElements<Item>(attribute: Attribute, items: readonly Item[]): readonly Item[] {
  if (items.length <= ELEMENTS_MAX) return items;
  throw createValueError(attribute.name, `at most ${ELEMENTS_MAX} values`);
}

/** Reads the stored parts of a complex value and merges them into its current parts. */
function readMembers(attribute: Attribute, value: unknown, members: Element): Element {
  if (!isJsonObject(value)) throw createValueError(attribute.name, "an object");
  const read = new Map(Object.entries(members));
  for (const [name, member] of Object.entries(value)) {
    const sub = attribute.subAttributes?.find((known) => known.name.toLowerCase() === name.toLowerCase());
    if (sub === undefined) continue;
    const simple = readSimple(sub, `${attribute.name}.${sub.name}`, member);
    if (simple === null) read.delete(sub.name);
    else read.set(sub.name, simple);
  }
  return Object.fromEntries(read);
}

/** Reads a string or boolean. Microsoft Entra sends booleans as "True" and "False". */
function readSimple(attribute: Attribute, path: string, value: unknown): string | boolean | null {
  if (value === null || value === undefined) return null;
  if (attribute.type === "boolean") {
    if (typeof value === "boolean") return value;
    const word = typeof value === "string" ? value.toLowerCase() : "";
    if (word === "true" || word === "false") return word === "true";
    throw createValueError(path, "true or false");
  }
  if (typeof value !== "string") throw createValueError(path, "a string");
  if (value.length > TEXT_MAX_LENGTH)
    throw createValueError(path, `at most ${TEXT_MAX_LENGTH} characters long`);
  return value;
}

function createValueError(path: string, expected: string): ScimError {
  return createInputError("invalidValue", `${path} must be ${expected}.`);
}
