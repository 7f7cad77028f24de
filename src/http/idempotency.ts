import { and, eq, lte, sql } from "drizzle-orm";
import { createMiddleware } from "hono/factory";
import { sha256Hex } from "../core/crypto.ts";
import { ApiError, invalid } from "../core/error.ts";
import { type SealKey, seal, sealKey, unseal } from "../core/seal.ts";
import { DAY_MS, SECOND_MS } from "../core/time.ts";
import { type Database, openDatabase } from "../db/database.ts";
import type { ApiContext, ApiEnv } from "./context.ts";
import { idempotencyKeys as table } from "./idempotency.table.ts";

/** How long the first answer is kept. */
const KEPT_MS = DAY_MS;
/** How long a request may hold a key without an answer, before it is taken to have died. */
const HELD_MS = 10 * SECOND_MS;
const KEY_MAX_LENGTH = 255;

/** One use of an Idempotency-Key. */
interface Claim {
  workspaceId: string;
  route: string;
  key: string;
  requestHash: string;
  requestId: string;
  createdAt: number;
}

/**
 * Answers a repeated request with the kept answer of the first (decisions section 1). The primary key of the table
 * decides between parallel requests: one of them runs, the others are told so (409).
 *
 * A request that ended without an answer, by a crash or a 5xx, may have made what it was to make. The next one with its
 * key is run as its repetition ({@link Origin}), which finds that again under the same ids and makes nothing twice.
 *
 * Kept answers are sealed, since some show a secret that is to be shown once.
 */
export const idempotent = createMiddleware<ApiEnv>(async (c, next) => {
  const key = c.req.header("Idempotency-Key");
  if (key === undefined) return next();
  if (key.length < 1 || key.length > KEY_MAX_LENGTH) {
    throw invalid({ field: "Idempotency-Key", message: `must have 1 to ${KEY_MAX_LENGTH} characters` });
  }
  const db = openDatabase(c.env.DB);
  const claim: Claim = {
    workspaceId: c.var.workspace.id,
    route: c.req.path,
    key,
    requestHash: await sha256Hex(await requestText(c.req.bodyCache.text)),
    requestId: c.var.requestId,
    createdAt: c.var.nowMs,
  };
  const holder = await claimKey(db, claim);
  const sealing = await sealKey(c.env.WEBHOOK_KEY, "WEBHOOK_KEY", "idempotent answers");
  if (holder.requestId !== claim.requestId) return replay(c, holder, claim, sealing);
  const { firstRequestId } = holder;
  c.set("origin", { requestId: firstRequestId, isRetry: firstRequestId !== claim.requestId });

  await next();
  const { status } = c.res;
  const ending =
    status >= 500
      ? releaseKey(db, claim)
      : keepAnswer(db, claim, sealing, status, await c.res.clone().text());
  // The answer is right all the same, and who has not got it can ask again once the key is free.
  await ending.catch((error) => console.error(`the Idempotency-Key of ${claim.requestId} stays held`, error));
});

/** The body as {@link jsonBody} left it; empty for operations that take none. */
async function requestText(cached: unknown): Promise<string> {
  return ((await cached) as string | undefined) ?? "";
}

type Holder = typeof table.$inferSelect;

/** Takes the key if nobody holds it, and answers with who does. */
async function claimKey(db: Database, claim: Claim): Promise<Holder> {
  const { requestHash, requestId, createdAt: nowMs } = claim;
  const heldUntil = nowMs + HELD_MS;
  const [, , [holder]] = await db.batch([
    db.delete(table).where(and(isKey(claim), lte(table.createdAt, nowMs - KEPT_MS))),
    db
      .insert(table)
      .values({ ...claim, firstRequestId: requestId, heldUntil })
      .onConflictDoUpdate({
        target: [table.workspaceId, table.route, table.key],
        set: { requestId, heldUntil },
        setWhere: sql`${table.status} is null and ${table.heldUntil} <= ${nowMs}
                      and ${table.requestHash} = ${requestHash}`,
      }),
    db.select().from(table).where(isKey(claim)),
  ]);
  return holder as Holder;
}

async function replay(c: ApiContext, holder: Holder, claim: Claim, sealing: SealKey): Promise<Response> {
  if (holder.requestHash !== claim.requestHash) {
    throw new ApiError("IDEMPOTENCY_CONFLICT", "Idempotency-Key: was used with another payload.", {
      status: 422,
    });
  }
  if (holder.status === null || holder.body === null) {
    throw new ApiError("IDEMPOTENCY_CONFLICT", "Idempotency-Key: its first request is still being answered.");
  }
  const body = await unseal(sealing, holder.body, placeOf(claim));
  c.header("Content-Type", "application/json");
  c.header("Idempotency-Replayed", "true");
  // The body names the request that made it, and the header must equal it.
  c.header("X-Request-Id", holder.requestId);
  return c.body(body, holder.status as 200);
}

async function keepAnswer(
  db: Database,
  claim: Claim,
  sealing: SealKey,
  status: number,
  text: string,
): Promise<void> {
  const body = await seal(sealing, text, placeOf(claim));
  await db.update(table).set({ status, body }).where(isHeldBy(claim));
}

async function releaseKey(db: Database, claim: Claim): Promise<void> {
  await db.update(table).set({ heldUntil: 0 }).where(isHeldBy(claim));
}

/** What a sealed answer is bound to. */
function placeOf({ workspaceId, route, key }: Claim): string {
  return JSON.stringify([workspaceId, route, key]);
}

function isKey({ workspaceId, route, key }: Claim) {
  return and(eq(table.workspaceId, workspaceId), eq(table.route, route), eq(table.key, key));
}

function isHeldBy(claim: Claim) {
  return and(isKey(claim), eq(table.requestId, claim.requestId));
}

/** Forgets answers past their time; called by the cron. */
export async function sweepIdempotencyKeys(db: Database, nowMs: number): Promise<void> {
  await db.delete(table).where(lte(table.createdAt, nowMs - KEPT_MS));
}
