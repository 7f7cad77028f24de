import { createMiddleware } from "hono/factory";
import { ApiError, createValidationError } from "../core/error.ts";
import { logError } from "../core/log.ts";
import { openDatabase } from "../db/database.ts";
import type { ApiContext, ApiEnv } from "../http/context.ts";
import { formatPersonBucket, PersonCall } from "../limits/person-call.ts";
import {
  forgetSession,
  formatSessionKey,
  recallSession,
  rememberSession,
} from "../members/known-sessions.ts";
import { readSessionCookie } from "../members/session-cookie.ts";
import { isSeenStale } from "../members/session-times.ts";
import { hashSessionToken, recordSeen } from "../members/sessions.ts";
import { createInvalidSessionError, verifySession } from "../members/verify-session.ts";
import { listScopes } from "../permissions/roles.ts";
import type { VerifiedSession } from "../tenant/actor.ts";
import { verifyLimited } from "./verify-limited.ts";

/** Header with the slug of the workspace that a person acts in. */
export const WORKSPACE_HEADER = "X-SVC-Workspace";

/**
 * Paths that can be read without a workspace, because the dashboard reads them before a workspace is
 * selected.
 */
const PATHS_WITHOUT_WORKSPACE = /^\/v1\/sessions?$/;

/**
 * Verifies the session of a request on the app host, and sets `caller`, `session` and `workspace` for the
 * handlers. If this isolate has verified the session before, calls the rate limiter in parallel, as
 * `authenticateKey` does for keys.
 */
export const authenticatePerson = createMiddleware<ApiEnv>(async (c, next) => {
  const { nowMs } = c.var;
  const isChange = c.req.method !== "GET" && c.req.method !== "HEAD";
  const token = readToken(c);
  if (isChange) requireOwnOrigin(c);
  const slug = readSlug(c, isChange);
  const tokenHash = await hashSessionToken(token);
  const key = formatSessionKey(tokenHash, slug);
  const known = recallSession(key, nowMs);
  const early = known && startCall(c, known.workspaceId, known.memberId);
  const verify = () => verifySession(c.env.DIRECTORY, tokenHash, slug, nowMs);
  const { session, workspace } = await verifyLimited(c, "session", tokenHash, verify).catch((error) => {
    forgetSession(key);
    throw error;
  });
  const { member } = session;
  const isSame = early?.workspaceId === workspace.id && early.bucket === formatPersonBucket(member.id);
  c.set("personCall", isSame && early ? early : startCall(c, workspace.id, member.id));
  rememberSession(key, { workspaceId: workspace.id, memberId: member.id, verifiedAtMs: nowMs });
  if (isSeenStale(session.lastSeenAt, nowMs)) writeSeen(c, session);
  c.set("caller", {
    actor: { type: "person", id: member.id, name: member.name },
    scopes: listScopes(member.role),
    bucket: formatPersonBucket(member.id),
  });
  c.set("session", session);
  c.set("workspace", workspace);
  await next();
});

/** Returns a request's session token. Throws `INVALID_SESSION`. */
function readToken(c: ApiContext): string {
  const { appUrl, apiUrl } = c.var.settings;
  if (c.req.header("Authorization") !== undefined) {
    throw createInvalidSessionError(`This host requires a session. API keys are only accepted at ${apiUrl}.`);
  }
  const token = readSessionCookie(c.req.header("Cookie"), appUrl);
  if (token === null) throw createInvalidSessionError(`Not signed in. Sign in at ${appUrl}.`);
  return token;
}

/**
 * Rejects changes requested by pages of other origins. Browsers send `Origin` with all such requests, and
 * pages can't set it (https://fetch.spec.whatwg.org/#origin-header).
 */
function requireOwnOrigin(c: ApiContext): void {
  const { appUrl } = c.var.settings;
  if (c.req.header("Origin") === appUrl) return;
  throw new ApiError("ORIGIN_MISMATCH", `Origin: must be ${appUrl} for write requests.`);
}

/**
 * Returns the workspace slug of a request, or null for the person's first workspace. Throws
 * `VALIDATION_ERROR`.
 */
function readSlug(c: ApiContext, isChange: boolean): string | null {
  const slug = c.req.header(WORKSPACE_HEADER);
  if (slug !== undefined) return slug;
  if (!isChange && PATHS_WITHOUT_WORKSPACE.test(c.req.path)) return null;
  throw createValidationError({
    field: WORKSPACE_HEADER,
    message: "must be the slug of a workspace you belong to",
  });
}

function startCall(c: ApiContext, workspaceId: string, memberId: string): PersonCall {
  return new PersonCall(c.env.LIMITER, { workspaceId, bucket: formatPersonBucket(memberId) });
}

/** Updates the session's last use after the response. Failures are logged, and the next call tries again. */
function writeSeen(c: ApiContext, session: VerifiedSession): void {
  const written = recordSeen(openDatabase(c.env.DIRECTORY), session, c.var.nowMs).catch((error) =>
    logError("the last use of a session could not be stored", error),
  );
  c.executionCtx.waitUntil(written);
}
