import { and, asc, eq, gt, not, sql } from "drizzle-orm";
import { logError } from "../core/log.ts";
import { formatSealPrefix, type SealKey, type SealSecrets, seal, unseal } from "../core/seal.ts";
import { SECOND_MS } from "../core/time.ts";
import type { Database } from "../db/database.ts";
import { isLockedByMove } from "../tenant/transits.ts";
import { deriveSecretKey, type Webhook } from "./endpoints.ts";
import { webhooks } from "./webhooks.table.ts";

const STEP_ENDPOINTS = 100;
/** Time after which no further step starts. The next run continues with what is left. */
const DURATION_MAX_MS = 10 * SECOND_MS;

type SealedRow = Pick<Webhook, "id" | "secret">;

/**
 * Seals signing secrets with the current `WEBHOOK_KEY` if the previous key sealed them. A day later the
 * previous key can be removed. Does nothing without `WEBHOOK_KEY_PREVIOUS`. Called by the cron. Replaced
 * secrets are left as they are, since they only sign for a day.
 */
export async function resealSecrets(db: Database, secrets: SealSecrets): Promise<void> {
  if (!secrets.WEBHOOK_KEY_PREVIOUS) return;
  const key = await deriveSecretKey(secrets);
  const endsAtMs = Date.now() + DURATION_MAX_MS;
  let unreadable = 0;
  let lastId: string | undefined = "";
  while (lastId !== undefined && Date.now() < endsAtMs) {
    const rows = await selectFormerlySealed(db, key, lastId);
    const results = await Promise.all(rows.map((row) => resealRow(db, key, row)));
    unreadable += results.filter((isOpened) => !isOpened).length;
    lastId = rows.length < STEP_ENDPOINTS ? undefined : rows.at(-1)?.id;
  }
  if (unreadable > 0) {
    logError(`${unreadable} signing secrets can be opened neither with WEBHOOK_KEY nor WEBHOOK_KEY_PREVIOUS`);
  }
}

/** Returns the next endpoints, in order of id, whose secret wasn't sealed with the current key. */
function selectFormerlySealed(db: Database, key: SealKey, afterId: string): Promise<SealedRow[]> {
  const prefix = formatSealPrefix(key);
  const formerlySealed = sql`substr(${webhooks.secret}, 1, ${prefix.length}) <> ${prefix}`;
  return db
    .select({ id: webhooks.id, secret: webhooks.secret })
    .from(webhooks)
    .where(and(gt(webhooks.id, afterId), formerlySealed, not(isLockedByMove(webhooks.workspaceId))))
    .orderBy(asc(webhooks.id))
    .limit(STEP_ENDPOINTS);
}

/** Seals one secret again, unless it has been rotated in between. Returns false if no key can open it. */
async function resealRow(db: Database, key: SealKey, { id, secret }: SealedRow): Promise<boolean> {
  const text = await unseal(key, secret, id).catch(() => null);
  if (text === null) return false;
  await db
    .update(webhooks)
    .set({ secret: await seal(key, text, id) })
    .where(and(eq(webhooks.id, id), eq(webhooks.secret, secret)));
  return true;
}
