import type { Role } from "../permissions/roles.ts";

/**
 * Kinds of actors: an API key, a person with a session, the administrator's command, or an identity provider
 * with its SCIM token.
 */
export const ACTOR_TYPES = ["key", "person", "admin", "scim"] as const;

/** Key, person, command or identity provider that makes a change. */
export interface Actor {
  type: (typeof ACTOR_TYPES)[number];
  /** Id of the key, the member or the SCIM token. */
  id: string;
  /**
   * Name at the time of the change, kept after the actor is deleted. For a SCIM token, it contains the public
   * part of the token.
   */
  name: string;
}

/** Verified session of a request, with the membership in the current workspace. */
export interface VerifiedSession {
  id: string;
  /** Account of the person, as in the table of members. */
  person: string;
  /** Email address of the member. */
  email: string;
  /** Unix times in milliseconds. */
  createdAt: number;
  lastSeenAt: number;
  expiresAt: number;
  member: { id: string; name: string; role: Role };
  /** Slug of the current workspace. */
  slug: string;
}
