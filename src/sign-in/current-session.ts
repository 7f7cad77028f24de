import type { VerifiedSession } from "../tenant/actor.ts";

/** Returns the session of a request to an operation whose scope only people have. */
export function getSession({ session }: { session?: VerifiedSession | undefined }): VerifiedSession {
  if (session === undefined) throw new Error("a scope of people was given to a key");
  return session;
}
