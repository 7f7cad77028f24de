/** Kinds of actors that change something: an API key, a person with a session, the operator's command, an identity provider. */
export const ACTOR_TYPES = ["key", "person", "admin", "scim"] as const;

/** Who makes a change. */
export interface Actor {
  type: (typeof ACTOR_TYPES)[number];
  /** Id of the key or the member. */
  id: string;
  /** Name at the time of the change. It is kept when the key or the member is gone. */
  name: string;
}
