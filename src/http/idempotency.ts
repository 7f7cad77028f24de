import { and, eq, lte, not, type SQL, sql } from "drizzle-orm";
import { createMiddleware } from "hono/factory";
import { hmacSha256Hex } from "../core/crypto.ts";
import { ApiError, createValidationError } from "../core/error.ts";
import { logError } from "../core/log.ts";
import { deriveSealKey, type SealKey, seal, unseal } from "../core/seal.ts";
import { DAY_MS, SECOND_MS } from "../core/time.ts";
import { type Database, openDatabase } from "../db/database.ts";
import { deleteSome } from "../db/delete-some.ts";
import { repeatOnce } from "../db/retry.ts";
import { getShard } from "../db/shards.ts";
import { isResting } from "../tenant/transits.ts";
import { readBodyText } from "./body-cache.ts";
import type { ApiContext, ApiEnv } from "./context.ts";
import { idempotencyKeys as table } from "./idempotency.table.ts";

/** Time for which the first response is stored. */
const RETENTION_MS = DAY_MS;
/** Time after which a request without a response counts as failed, and another request can take over its key. */
const HOLD_TIMEOUT_MS = 10 * SECOND_MS;
const KEY_MAX_LENGTH = 255;
/** Purpose of the seal key. Another text would make all stored responses unreadable. */
const SEAL_PURPOSE = "idempotent answers";

/** Attempt of a request to hold an Idempotency-Key. */
interface Claim {
  workspaceId: string;
  route: string;
  key: string;
  requestHash: string;
  requestId: string;
  createdAt: number;
}

/** Stored state of an Idempotency-Key. */
type KeyRecord = typeof table.$inferSelect;

/**
 * Middleware for `Idempotency-Key`: responds to a repeated request with the stored response of the first one. Among
 * parallel requests, the primary key of the table selects one to run; the others receive 409.
 *
 * A request that ended without a response or with a 5xx may have created its resources already. The next request with
 * the same key runs as its retry (`RequestOrigin.isRetry`): it derives the same ids, finds the resources and creates
 * none twice.
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
      route: buildRoute(operationPath, c.req.param()),
      key,
      requestHash: await hashBody(c.env, await readBodyText(c.req)),
      requestId: c.var.requestId,
      createdAt: c.var.nowMs,
    };
    // Each of these writes may run twice: a repeated claim finds that this request holds the key.
    const record = await repeatOnce(() => claimKey(db, claim));
    const sealKey = await deriveSealKey(c.env, SEAL_PURPOSE);
    if (record.requestId !== claim.requestId) return replayResponse(c, record, claim, sealKey);
    const { firstRequestId } = record;
    c.set("origin", { requestId: firstRequestId, isRetry: firstRequestId !== claim.requestId });

    await next();
    const { status } = c.res;
    // A 429 at this point is about the waiting deliveries; the same request succeeds once there are fewer.
    const isFinal = status < 500 && status !== 429;
    const text = isFinal ? await c.res.clone().text() : null;
    const complete = () =>
      text === null ? releaseKey(db, claim) : storeResponse(db, claim, sealKey, status, text);
    // An error here does not change the response. If the client does not receive it, it can retry after the hold timeout.
    await repeatOnce(complete).catch((error) =>
      logError(`request ${claim.requestId} failed to store its response or release its key`, error),
    );
  });

/** Returns the hash of a body with a secret: the plain hash of one that holds a password would help to guess it. */
function hashBody({ UPLOAD_SECRET }: Env, body: string): Promise<string> {
  return hmacSha256Hex(UPLOAD_SECRET, `idempotent body\n${body}`);
}

/**
 * Returns the name of an operation and its path parameters. The path of a request can be spelled in several ways:
 * `/v1/%77ebhooks` is `/v1/webhooks` (RFC 3986 section 2.3).
 */
function buildRoute(operationPath: string, parameters: Readonly<Record<string, string>>): string {
  return operationPath.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ""));
}

/**
 * Takes the key if no request holds it, or if the request that holds it timed out. Returns the record of the key, whose
 * `requestId` is the request that holds it now.
 */
async function claimKey(db: Database, claim: Claim): Promise<KeyRecord> {
  const { requestHash, requestId, createdAt: nowMs } = claim;
  const heldUntil = nowMs + HOLD_TIMEOUT_MS;
  const [, , [record]] = await db.batch([
    db.delete(table).where(and(recordByKey(claim), lte(table.createdAt, nowMs - RETENTION_MS))),
    db
      .insert(table)
      .values({ ...claim, firstRequestId: requestId, heldUntil })
      .onConflictDoUpdate({
        target: [table.workspaceId, table.route, table.key],
        set: { requestId, heldUntil },
        setWhere: sql`${table.status} is null and ${table.heldUntil} <= ${nowMs}
                      and ${table.requestHash} = ${requestHash}`,
      }),
    db.select().from(table).where(recordByKey(claim)),
  ]);
  return record as KeyRecord;
}

/**
 * Returns the stored response. Throws `IDEMPOTENCY_CONFLICT` if there is none yet, if it cannot be opened, or for another
 * request body.
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
      "Idempotency-Key: was used before with a different request body.",
      { status: 422 },
    );
  }
  if (record.status === null || record.body === null) {
    throw new ApiError(
      "IDEMPOTENCY_CONFLICT",
      "Idempotency-Key: the first request with this key is still in progress.",
    );
  }
  const body = await openResponse(record.body, claim, sealKey);
  c.header("Content-Type", "application/json");
  c.header("Idempotency-Replayed", "true");
  // The body contains the id of the request that it belongs to, and the header must be equal to it.
  c.header("X-Request-Id", record.requestId);
  return c.body(body, record.status as 200);
}

/** Opens a stored response. Throws `IDEMPOTENCY_CONFLICT` if it was sealed with a `WEBHOOK_KEY` that is no longer known. */
async function openResponse(body: string, claim: Claim, sealKey: SealKey): Promise<string> {
  try {
    return await unseal(sealKey, body, buildAssociatedData(claim));
  } catch {
    throw new ApiError(
      "IDEMPOTENCY_CONFLICT",
      "Idempotency-Key: the first request with this key has ended, but its stored response can no longer be read. " +
        "Look for what it made, or use a new key.",
    );
  }
}

async function storeResponse(
  db: Database,
  claim: Claim,
  sealKey: SealKey,
  status: number,
  text: string,
): Promise<void> {
  const body = await seal(sealKey, text, buildAssociatedData(claim));
  await db.update(table).set({ status, body }).where(recordHeldBy(claim));
}

/** Ends the hold at once, so that the next request with the key is a retry. */
async function releaseKey(db: Database, claim: Claim): Promise<void> {
  await db.update(table).set({ heldUntil: 0 }).where(recordHeldBy(claim));
}

/** Builds the associated data of a sealed response, which ties it to its key. */
function buildAssociatedData({ workspaceId, route, key }: Claim): string {
  return JSON.stringify([workspaceId, route, key]);
}

function recordByKey({ workspaceId, route, key }: Claim): SQL | undefined {
  return and(eq(table.workspaceId, workspaceId), eq(table.route, route), eq(table.key, key));
}

function recordHeldBy(claim: Claim): SQL | undefined {
  return and(recordByKey(claim), eq(table.requestId, claim.requestId));
}

/** Deletes some keys of a workspace and returns their number. */
export function eraseIdempotencyKeys(db: Database, workspaceId: string): Promise<number> {
  return deleteSome(
    db,
    table,
    [table.workspaceId, table.route, table.key],
    eq(table.workspaceId, workspaceId),
  );
}

/** Deletes expired keys. The cron calls it. */
export async function sweepIdempotencyKeys(db: Database, nowMs: number): Promise<void> {
  await db
    .delete(table)
    .where(and(lte(table.createdAt, nowMs - RETENTION_MS), not(isResting(table.workspaceId))));
}
