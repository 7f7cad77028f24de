import type { Context } from "hono";
import type { ErrorNames } from "../core/error.ts";
import type { Settings } from "../env.ts";
import type { Allowance } from "../limits/allowance.ts";
import type { CountedCall } from "../limits/counted-call.ts";
import type { PersonCall } from "../limits/person-call.ts";
import type { VerifiedSession } from "../people/verify-session.ts";
import type { Actor } from "../tenant/actor.ts";
import type { RequestOrigin } from "../tenant/request-origin.ts";
import type { Workspace } from "../tenant/workspace.ts";

/** Verified caller of a request. */
export interface Caller {
  actor: Actor;
  /** Scopes that the caller has; `*` includes every scope. */
  scopes: readonly string[];
  /** Name of the caller's token bucket in its workspace: the prefix of a key, or `person:` and the id of a member. */
  bucket: string;
}

/** Variables that the middleware of the API sets for the handlers. */
export interface ApiVariables {
  requestId: string;
  /** Start of the request in Unix milliseconds. All work of the request uses this time as the current time. */
  nowMs: number;
  settings: Settings;
  /** True on the app host, where people act by their session; false on the API host. */
  isAppHost: boolean;
  workspace: Workspace;
  caller: Caller;
  /** Set if the call was counted while its key was verified. */
  countedCall?: CountedCall;
  /** Set for people, and not for keys. */
  session?: VerifiedSession;
  /** Set for people: their call, which is counted in no quota. */
  personCall?: PersonCall;
  allowance: Allowance;
  /** Set for requests with an `Idempotency-Key`. */
  origin?: RequestOrigin;
  /** Set for operations that replace the names of error codes. */
  errorNames?: ErrorNames;
}

export interface ApiEnv {
  Bindings: Env;
  Variables: ApiVariables;
}

export type ApiContext = Context<ApiEnv>;
