import { ALL_SCOPES, type OperationScope, SCOPES } from "../auth/key.ts";

/** Roles that a member of a workspace can have, from the most to the least. */
export const ROLES = ["owner", "editor", "viewer"] as const;

export type Role = (typeof ROLES)[number];

/** Role of a member whom nobody has given another one: the one that can change nothing. */
export const DEFAULT_ROLE = "viewer" satisfies Role;

/** Scopes that change who or what may act for the workspace. Only owners have them. */
const OWNER_SCOPES: readonly OperationScope[] = ["domains:write"];

const isRead = (scope: string) => scope.endsWith(":read");

const SCOPES_BY_ROLE: Record<Role, readonly string[]> = {
  owner: [ALL_SCOPES],
  editor: [...SCOPES.filter((scope) => !OWNER_SCOPES.includes(scope)), "session"],
  viewer: [...SCOPES.filter(isRead), "qr:render", "session"],
};

/** Returns the scopes that a role has; `*` includes every scope. */
export function listScopes(role: Role): readonly string[] {
  return SCOPES_BY_ROLE[role];
}

/** Returns the least role that has a scope. */
export function findLeastRole(scope: OperationScope): Role {
  return ROLES.findLast((role) => SCOPES_BY_ROLE[role].includes(scope)) ?? "owner";
}

/** Returns true if a text is the name of a role. */
export function isRole(text: unknown): text is Role {
  return ROLES.some((role) => role === text);
}
