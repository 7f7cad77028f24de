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

/** Kind of a resource, with the attributes that are kept of it. */
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

/** Place in a resource that an operation of PATCH names: `emails[type eq "work"].value`. */
export interface PatchPath {
  attribute: Attribute;
  /** Condition on the values of a multi-valued attribute. Its paths are those of sub-attributes. */
  filter: Filter | null;
  sub: Attribute | null;
}

const PATH_MAX_LENGTH = 1_000;
/** URN, with its colon, then an attribute, its filter, and a sub-attribute. No part can be read in two ways. */
const PATH = /^(urn:[\w.:-]*:)?([A-Za-z$][\w$-]*)(?:\[([^\]]*(?:\][^\]]*)*)\])?(?:\.([A-Za-z$][\w$-]*))?$/i;

/**
 * Parses a path. Returns null for an attribute that is not kept: one of the standard, or of an extension such as the
 * enterprise user. Throws `invalidPath` for any other name and for what is no path.
 */
export function parsePatchPath(text: string, kind: ResourceKind): PatchPath | null {
  const parts = text.length <= PATH_MAX_LENGTH ? PATH.exec(text.trim()) : null;
  if (parts === null) throw createPathError("is no path of an attribute");
  const [, urn, name = "", filter, subName] = parts;
  if (urn !== undefined && urn.slice(0, -1).toLowerCase() !== kind.schema.toLowerCase()) return null;
  const attribute = findAttribute(kind.attributes, name);
  if (attribute === undefined) {
    if (isUnkept(name.toLowerCase())) return null;
    throw createPathError(`names an attribute that a ${kind.name} does not have`);
  }
  const sub = subName === undefined ? null : findSub(attribute, subName);
  if (sub === "unkept") return null;
  if (filter !== undefined && attribute.multiValued !== true) {
    throw createPathError(`has a filter on ${attribute.name}, which has one value`);
  }
  return { attribute, sub, filter: filter === undefined ? null : parseFilter(filter) };
}

/** Finds a sub-attribute. Those of the standard that are not kept, such as `name.middleName`, are "unkept". */
function findSub(attribute: Attribute, name: string): Attribute | "unkept" {
  if (attribute.subAttributes === undefined) {
    throw createPathError(`names a part of ${attribute.name}, which has none`);
  }
  return findAttribute(attribute.subAttributes, name) ?? "unkept";
}

function createPathError(fault: string) {
  return createInputError("invalidPath", `The path ${fault}.`);
}
