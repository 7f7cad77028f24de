import type { Context } from "hono";
import type { ErrorNames } from "../core/error.ts";
import type { Settings } from "../env.ts";
import type { Allowance } from "../limits/allowance.ts";
import type { CountedCall } from "../limits/counted-call.ts";
import type { PersonCall } from "../limits/person-call.ts";
import type { Actor, VerifiedSession } from "../tenant/actor.ts";
import type { RequestOrigin } from "../tenant/request-origin.ts";
import type { Workspace } from "../tenant/workspace.ts";

/** Verified caller of a request. */
export interface Caller {
  actor: Actor;
  /** Scopes of the caller; `*` includes every scope. */
  scopes: readonly string[];
  /**
   * Name of the caller's token bucket (for the rate limit) in the workspace: a key's prefix, or `person:` and
   * a member's id.
   */
  bucket: string;
}

/** Variables that the API's middleware sets for handlers. */
export interface ApiVariables {
  requestId: string;
  /** Start of the request in Unix milliseconds. The whole request uses it as the current time. */
  nowMs: number;
  settings: Settings;
  /** True on the app host, where people act with a session; false on the API host. */
  isAppHost: boolean;
  workspace: Workspace;
  caller: Caller;
  /** `operationId` of the current operation. */
  operation: string;
  /** Set if the call was counted while the API key was verified. */
  countedCall?: CountedCall;
  /** Set for people, not for keys. */
  session?: VerifiedSession;
  /** Set for people. Their calls don't count towards the quota. */
  personCall?: PersonCall;
  allowance: Allowance;
  /** Set for requests with an `Idempotency-Key`. */
  origin?: RequestOrigin;
  /** Set for operations that rename error codes. */
  errorNames?: ErrorNames;
}

export interface ApiEnv {
  Bindings: Env;
  Variables: ApiVariables;
}

export type ApiContext = Context<ApiEnv>;
