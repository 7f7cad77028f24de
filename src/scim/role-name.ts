// Pure: no I/O, clock or randomness.
import { ROLES, type Role } from "../permissions/roles.ts";

const PREFIX = "signpost-";
const NAME_MAX_LENGTH = 1_000;

/**
 * Parses the name of a group or a value of `roles`: `owner`, `editor` or `viewer`, or their plural, with or
 * without the prefix `signpost-`, in any case. Returns null for other names.
 */
export function parseRoleName(text: string): Role | null {
  const name = text.trim().toLowerCase();
  const bare = name.startsWith(PREFIX) ? name.slice(PREFIX.length) : name;
  return ROLES.find((role) => bare === role || bare === `${role}s`) ?? null;
}

/**
 * Parses a value of `roles`. Microsoft Entra sends some values as a JSON object whose `value` is the name
 * (https://learn.microsoft.com/entra/identity/app-provisioning/customize-application-attributes).
 */
export function parseRoleValue(text: string): Role | null {
  if (!text.startsWith("{") || text.length > NAME_MAX_LENGTH) return parseRoleName(text);
  try {
    const { value } = JSON.parse(text) as { value?: unknown };
    return typeof value === "string" ? parseRoleName(value) : null;
  } catch {
    return null;
  }
}

/** Returns the highest of several roles, or null if there is none. */
export function findHighestRole(roles: Iterable<Role | null>): Role | null {
  const given = new Set(roles);
  return ROLES.find((role) => given.has(role)) ?? null;
}
