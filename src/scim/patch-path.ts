// Pure: no I/O, clock or randomness.
import {
  type Attribute,
  COMMON_ATTRIBUTES,
  findAttribute,
  GROUP_ATTRIBUTES,
  GROUP_SCHEMA,
  isUnkept,
  USER_ATTRIBUTES,
  USER_SCHEMA,
} from "./scim-attributes.ts";
import { createInputError } from "./scim-error.ts";
import { type Filter, parseFilter } from "./scim-filter.ts";

/** Kind of resource, with the attributes that are stored. */
export interface ResourceKind {
  name: "User" | "Group";
  schema: string;
  attributes: readonly Attribute[];
}

export const USER_KIND: ResourceKind = {
  name: "User",
  schema: USER_SCHEMA,
  attributes: [...COMMON_ATTRIBUTES, ...USER_ATTRIBUTES],
};

export const GROUP_KIND: ResourceKind = {
  name: "Group",
  schema: GROUP_SCHEMA,
  attributes: [...COMMON_ATTRIBUTES, ...GROUP_ATTRIBUTES],
};

/** Parsed path of a PATCH operation, such as `emails[type eq "work"].value`. */
export interface PatchPath {
  attribute: Attribute;
  /** Condition on the values of a multi-valued attribute. The filter's paths are sub-attributes. */
  filter: Filter | null;
  sub: Attribute | null;
}

const PATH_MAX_LENGTH = 1_000;
/**
 * Matches an optional URN with its colon, an attribute, its filter, and a sub-attribute. No part can be read
 * in two ways, which avoids excessive backtracking.
 */
const PATH = /^(urn:[\w.:-]*:)?([A-Za-z$][\w$-]*)(?:\[([^\]]*(?:\][^\]]*)*)\])?(?:\.([A-Za-z$][\w$-]*))?$/i;

/**
 * Parses a path. Returns null for attributes that aren't stored: standard attributes, or attributes of an
 * extension such as the enterprise user. Throws `invalidPath` for unknown names and invalid paths.
 */
export function parsePatchPath(text: string, kind: ResourceKind): PatchPath | null {
  const parts = text.length <= PATH_MAX_LENGTH ? PATH.exec(text.trim()) : null;
  if (parts === null) throw createPathError("is not a valid attribute path");
  const [, urn, name = "", filter, subName] = parts;
  if (urn !== undefined && urn.slice(0, -1).toLowerCase() !== kind.schema.toLowerCase()) return null;
  const attribute = findAttribute(kind.attributes, name);
  if (attribute === undefined) {
    if (isUnkept(name.toLowerCase())) return null;
    throw createPathError(`contains an attribute that a ${kind.name} does not have`);
  }
  const sub = subName === undefined ? null : findSub(attribute, subName);
  if (sub === "unkept") return null;
  if (filter !== undefined && attribute.multiValued !== true) {
    throw createPathError(`has a filter on ${attribute.name}, which is single-valued`);
  }
  return { attribute, sub, filter: filter === undefined ? null : parseFilter(filter) };
}

/** Finds a sub-attribute. Returns "unkept" for other names, such as the standard's `name.middleName`. */
function findSub(attribute: Attribute, name: string): Attribute | "unkept" {
  if (attribute.subAttributes === undefined) {
    throw createPathError(`names a sub-attribute of ${attribute.name}, which has none`);
  }
  return findAttribute(attribute.subAttributes, name) ?? "unkept";
}

function createPathError(problem: string) {
  return createInputError("invalidPath", `The path ${problem}.`);
}
