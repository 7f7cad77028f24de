// Pure: no I/O, clock or randomness.
import { ALL_SCOPES, type OperationScope, SCOPES } from "./scopes.ts";

/** Roles of members, from most to least permissions. */
export const ROLES = ["owner", "editor", "viewer"] as const;

export type Role = (typeof ROLES)[number];

/** Role of members without an assigned role. It can't change anything. */
export const DEFAULT_ROLE = "viewer" satisfies Role;

/** Scopes that decide who or what may act for the workspace. Only owners have them. */
const OWNER_SCOPES: readonly OperationScope[] = ["domains:write"];

const isRead = (scope: string) => scope.endsWith(":read");

const SCOPES_BY_ROLE: Record<Role, readonly string[]> = {
  owner: [ALL_SCOPES],
  editor: [...SCOPES.filter((scope) => !OWNER_SCOPES.includes(scope)), "session"],
  viewer: [...SCOPES.filter(isRead), "qr:render", "session"],
};

/** Returns the scopes of a role. `*` includes all scopes. */
export function listScopes(role: Role): readonly string[] {
  return SCOPES_BY_ROLE[role];
}

/** Returns the role with the fewest permissions that includes a scope. */
export function findLeastRole(scope: OperationScope): Role {
  return ROLES.findLast((role) => SCOPES_BY_ROLE[role].includes(scope)) ?? "owner";
}
