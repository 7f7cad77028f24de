import { createMiddleware } from "hono/factory";
import { hmacSha256Hex } from "../core/crypto.ts";
import { ApiError, createValidationError } from "../core/error.ts";
import { logError } from "../core/log.ts";
import { deriveSealKey, type SealKey, unseal } from "../core/seal.ts";
import { SECOND_MS } from "../core/time.ts";
import { openDatabase } from "../db/database.ts";
import { repeatOnce } from "../db/retry.ts";
import { getShard } from "../db/shards.ts";
import { readBodyText } from "./body-cache.ts";
import type { ApiContext, ApiEnv } from "./context.ts";
import {
  buildAssociatedData,
  type Claim,
  claimKey,
  endHold,
  HOLD_TIMEOUT_MS,
  type KeyRecord,
  sealBody,
} from "./idempotency-keys.ts";

const KEY_MAX_LENGTH = 255;
/** Purpose of the seal key. Changing this text would make all stored responses unreadable. */
const SEAL_PURPOSE = "idempotent answers";
const IN_PROGRESS_MESSAGE = "Idempotency-Key: the first request with this key is still in progress.";
const OVERTAKEN_MESSAGE = `Idempotency-Key: this request took more than ${HOLD_TIMEOUT_MS / SECOND_MS} seconds and was superseded by another request with the same key. Retry to receive that response.`;

/**
 * Middleware for `Idempotency-Key`: replays the stored response of the first request for repeated requests.
 * Among parallel requests, the table's primary key selects one to run; the others get 409.
 *
 * A request that ended without a response or with a 5xx may already have created its resources. The next
 * request with the same key runs as a retry (`RequestOrigin.isRetry`): it derives the same ids, finds the
 * existing resources, and creates nothing twice. A request that was only slow and lost its key to a retry
 * replays the retry's response, because the slow request may have found the resources that the retry created.
 *
 * Stored responses are encrypted, because some contain a secret that is shown only once.
 */
export const handleIdempotencyKey = (operationPath: string) =>
  createMiddleware<ApiEnv>(async (c, next) => {
    const key = c.req.header("Idempotency-Key");
    if (key === undefined) return next();
    if (key.length < 1 || key.length > KEY_MAX_LENGTH) {
      throw createValidationError({
        field: "Idempotency-Key",
        message: `must have 1 to ${KEY_MAX_LENGTH} characters`,
      });
    }
    const db = openDatabase(getShard(c.env, c.var.workspace.shard));
    const claim: Claim = {
      workspaceId: c.var.workspace.id,
      route: formatOwner(c) + buildRoute(operationPath, c.req.param()),
      key,
      requestHash: await hashBody(c.env, await readBodyText(c.req)),
      requestId: c.var.requestId,
      createdAt: c.var.nowMs,
    };
    // Each of these writes can run twice: a repeated claim finds that this request already holds the key.
    const record = await repeatOnce(() => claimKey(db, claim));
    const sealKey = await deriveSealKey(c.env, SEAL_PURPOSE);
    if (record.requestId !== claim.requestId) return replayResponse(c, record, claim, sealKey);
    const { firstRequestId } = record;
    c.set("origin", { requestId: firstRequestId, isRetry: firstRequestId !== claim.requestId });

    await next();
    const response = await selectFinal(c, claim, sealKey);
    // An error here doesn't change the response. If the client doesn't receive the response, it can retry
    // after the hold timeout.
    const successor = await repeatOnce(() => endHold(db, claim, response)).catch((error) => {
      logError(`request ${claim.requestId} failed to store its response or release its key`, error);
      return null;
    });
    if (successor === null) return;
    c.header("Retry-After", undefined);
    c.res = await replayResponse(c, successor, claim, sealKey);
  });

/** Returns the response to store, or null if repeating the request may give a different response. */
async function selectFinal(c: ApiContext, claim: Claim, sealKey: SealKey) {
  const { status } = c.res;
  // A 429 here means that too many deliveries are pending or that a budget is used up. The same request succeeds later.
  if (status >= 500 || status === 429) return null;
  return { status, sealedBody: await sealBody(sealKey, await c.res.clone().text(), claim) };
}

/** Returns a keyed hash of a body. A plain hash would help to guess a password in the body. */
function hashBody({ UPLOAD_SECRET }: Env, body: string): Promise<string> {
  return hmacSha256Hex(UPLOAD_SECRET, `idempotent body\n${body}`);
}

/**
 * Returns the prefix of a request's route. Empty for API keys, which share their workspace's idempotency
 * keys. For people, it contains the member, because a response may contain a secret shown only to that
 * person. The prefix can't be mistaken for a path.
 */
function formatOwner({ var: { session } }: ApiContext): string {
  return session === undefined ? "" : `person:${session.member.id} `;
}

/**
 * Returns an operation's path with its path parameters in one canonical spelling. Request paths can be
 * spelled in several ways: `/v1/%77ebhooks` is `/v1/webhooks` (RFC 3986 section 2.3).
 */
function buildRoute(operationPath: string, parameters: Readonly<Record<string, string>>): string {
  return operationPath.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ""));
}

/**
 * Returns the stored response. Throws `IDEMPOTENCY_CONFLICT` if the request body differs, if no response is
 * stored yet, or if the response can't be decrypted.
 */
async function replayResponse(
  c: ApiContext,
  record: KeyRecord,
  claim: Claim,
  sealKey: SealKey,
): Promise<Response> {
  if (record.requestHash !== claim.requestHash) {
    throw new ApiError(
      "IDEMPOTENCY_CONFLICT",
      "Idempotency-Key: was already used with a different request body.",
      { status: 422 },
    );
  }
  if (record.body === null) {
    const isOvertaken = c.var.origin !== undefined;
    throw new ApiError("IDEMPOTENCY_CONFLICT", isOvertaken ? OVERTAKEN_MESSAGE : IN_PROGRESS_MESSAGE);
  }
  const body = await openResponse(record.body, claim, sealKey);
  c.header("Content-Type", "application/json");
  c.header("Idempotency-Replayed", "true");
  // The body contains the id of the request that created the response, and the header must match the body.
  c.header("X-Request-Id", record.requestId);
  return c.body(body, record.status as 200);
}

/** Decrypts a stored response. Throws `IDEMPOTENCY_CONFLICT` if the `WEBHOOK_KEY` that sealed it is gone. */
async function openResponse(body: string, claim: Claim, sealKey: SealKey): Promise<string> {
  try {
    return await unseal(sealKey, body, buildAssociatedData(claim));
  } catch {
    throw new ApiError(
      "IDEMPOTENCY_CONFLICT",
      "Idempotency-Key: the first request with this key completed, but its stored response can no longer be read. Check whether the resource was created, or use a new key.",
    );
  }
}
