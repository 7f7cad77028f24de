import type { Context } from "hono";
import type { AuthenticatedKey } from "../auth/key.ts";
import type { ErrorNames } from "../core/error.ts";
import type { Settings } from "../env.ts";
import type { Allowance } from "../limits/allowance.ts";
import type { RequestOrigin } from "../tenant/request-origin.ts";
import type { Workspace } from "../tenant/workspace.ts";

/** What the middleware of the API leaves for the handlers. */
export interface ApiVariables {
  requestId: string;
  /** When the request began, in milliseconds: the one `now` of everything it does. */
  nowMs: number;
  settings: Settings;
  workspace: Workspace;
  key: AuthenticatedKey;
  allowance: Allowance;
  /** Of a request that is sent again. */
  origin?: RequestOrigin;
  /** Of operations whose errors have names of their own. */
  errorNames?: ErrorNames;
}

export interface ApiEnv {
  Bindings: Env;
  Variables: ApiVariables;
}

export type ApiContext = Context<ApiEnv>;
