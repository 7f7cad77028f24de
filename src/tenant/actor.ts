/**
 * Kinds of actors that change something: an API key, a person with a session, the operator's command, or an identity
 * provider with its SCIM token.
 */
export const ACTOR_TYPES = ["key", "person", "admin", "scim"] as const;

/** Maker of a change. */
export interface Actor {
  type: (typeof ACTOR_TYPES)[number];
  /** Id of the key, the member or the SCIM token. */
  id: string;
  /** Name at the time of the change, which stays when the actor is gone. A SCIM token has the public part of it. */
  name: string;
}
