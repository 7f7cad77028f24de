// Pure: no I/O, clock or randomness.
import type { PatchOperation, PatchVerb } from "./apply-patch.ts";
import { createInputError, type ScimError } from "./scim-error.ts";

const PATCH_SCHEMA = "urn:ietf:params:scim:api:messages:2.0:PatchOp";
const OPERATIONS_MAX = 100;
const VERBS: readonly PatchVerb[] = ["add", "replace", "remove"];

/**
 * Parses the body of a PATCH request. Accepts operation names in any case, because Microsoft Entra sends
 * "Add" and "Replace". Throws `invalidSyntax`.
 */
export function parsePatchRequest(body: Readonly<Record<string, unknown>>): PatchOperation[] {
  const operations = findMember(body, "operations");
  requireSchema(body, PATCH_SCHEMA);
  if (!Array.isArray(operations) || operations.length === 0) {
    throw createSyntaxError("Operations must be an array with at least one operation.");
  }
  if (operations.length > OPERATIONS_MAX) {
    throw createSyntaxError(`Operations must contain at most ${OPERATIONS_MAX} operations.`);
  }
  return operations.map(parseOperation);
}

/** Checks that `schemas` contains a schema (RFC 7643 section 3). Throws `invalidSyntax`. */
export function requireSchema(body: Readonly<Record<string, unknown>>, schema: string): void {
  const schemas = findMember(body, "schemas");
  const isNamed = (name: unknown) => typeof name === "string" && name.toLowerCase() === schema.toLowerCase();
  if (!Array.isArray(schemas) || !schemas.some(isNamed))
    throw createSyntaxError(`schemas must contain ${schema}.`);
}

function parseOperation(operation: unknown): PatchOperation {
  if (typeof operation !== "object" || operation === null)
    throw createSyntaxError("An operation must be an object.");
  const members = operation as Record<string, unknown>;
  const op = findMember(members, "op");
  const verb = VERBS.find((name) => typeof op === "string" && op.toLowerCase() === name);
  if (verb === undefined) throw createSyntaxError(`op must be one of ${VERBS.join(", ")}.`);
  const path = findMember(members, "path") ?? null;
  if (path !== null && typeof path !== "string") {
    throw createInputError("invalidPath", "path must be a string.");
  }
  return { verb, path: path === "" ? null : path, value: findMember(members, "value") };
}

/** Finds an object member by name, ignoring case (RFC 7643 section 2.1). `name` must be in lower case. */
function findMember(object: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.entries(object).find(([key]) => key.toLowerCase() === name)?.[1];
}

function createSyntaxError(detail: string): ScimError {
  return createInputError("invalidSyntax", detail);
}
