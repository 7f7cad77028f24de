import { and, count, desc, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import { invalid, notFound } from "../core/error.ts";
import { normalizeHostname } from "../core/hosts.ts";
import { outboundFault } from "../core/outbound.ts";
import { type SealKey, seal, sealKey, unseal } from "../core/seal.ts";
import { DAY_MS, toIso, toIsoOrNull } from "../core/time.ts";
import type { Database } from "../db/database.ts";
import { findOwnDomains } from "../tenant/domains.ts";
import { endpointPolicy } from "../tenant/own-hosts.ts";
import { deriveId } from "../tenant/request-origin.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { recoverOrRefuse, releaseUsage, takeUsage } from "../tenant/usage.ts";
import { ALL_EVENTS } from "./events.ts";
import { commitTo, type OutboxEvent, subscribedTo } from "./outbox.ts";
import { generateSecret } from "./signature.ts";
import type { NewWebhook, WebhookPatch, WebhookResponse } from "./webhooks.schema.ts";
import { webhookDeliveries, webhooks } from "./webhooks.table.ts";

/** An endpoint as it is stored: its secrets are sealed. */
export type Webhook = typeof webhooks.$inferSelect;

/** How long a replaced secret signs beside the new one. */
const ROTATION_MS = DAY_MS;

/** Most replaced secrets that sign beside the new one: each makes a header of every delivery longer. */
const PREVIOUS_SECRETS_MAX = 10;

/** The key under which signing secrets are stored. Throws if the Worker secret is missing or short. */
export function deriveSecretKey(workerSecret: string | undefined): Promise<SealKey> {
  return sealKey(workerSecret, "WEBHOOK_KEY", "webhook signing secrets");
}

/** The Worker secret is not the one that the endpoint's secret was sealed with. */
export class UnreadableSecret extends Error {
  constructor() {
    super("signing secret unreadable: rotate it");
    this.name = "UnreadableSecret";
  }
}

/** What signs an endpoint's deliveries: its secret, then those it replaced within a day. Throws {@link UnreadableSecret}. */
export async function signingSecrets(
  { id, secret, previousSecrets }: Webhook,
  key: SealKey,
  nowMs: number,
): Promise<[string, ...string[]]> {
  const replaced = previousSecrets.filter(({ until }) => nowMs < until);
  try {
    const [current, ...previous] = await Promise.all([
      unseal(key, secret, id),
      ...replaced.map((previous) => unseal(key, previous.secret, id)),
    ]);
    return [current, ...previous];
  } catch {
    throw new UnreadableSecret();
  }
}

/** Registers an endpoint. Errors: `VALIDATION_ERROR`, `PLAN_LIMIT_EXCEEDED`. */
export async function createWebhook(
  tenant: Tenant,
  key: SealKey,
  input: NewWebhook,
): Promise<{ webhook: Webhook; secret: string }> {
  await requirePermittedUrl(tenant, input.url);
  const { db, workspace, nowMs } = tenant;
  const id = deriveId(tenant);
  const secret = generateSecret();
  const row: Webhook = {
    id,
    workspaceId: workspace.id,
    url: input.url,
    hostname: hostnameOf(input.url),
    description: input.description ?? "",
    events: input.events ?? [ALL_EVENTS],
    enabled: true,
    disabledAt: null,
    secret: await seal(key, secret, id),
    previousSecrets: [],
    createdAt: nowMs,
    updatedAt: nowMs,
  };
  try {
    await db.batch([takeUsage(tenant, "webhooks"), db.insert(webhooks).values(row)]);
  } catch (error) {
    const made = await recoverOrRefuse(tenant, "webhooks", error, getWebhook);
    return { webhook: made, secret: await unseal(key, made.secret, made.id) };
  }
  return { webhook: row, secret };
}

/** A page of the workspace's endpoints, newest first, and how many there are in all. */
export async function listWebhooks(
  { db, workspace }: Tenant,
  limit: number,
  offset: number,
): Promise<{ webhooks: Webhook[]; total: number }> {
  const isOurs = eq(webhooks.workspaceId, workspace.id);
  const [page, [counted]] = await db.batch([
    db.select().from(webhooks).where(isOurs).orderBy(desc(webhooks.id)).limit(limit).offset(offset),
    db.select({ total: count() }).from(webhooks).where(isOurs),
  ]);
  return { webhooks: page, total: counted?.total ?? 0 };
}

/** An endpoint of the workspace. Throws `RESOURCE_NOT_FOUND`. */
export async function getWebhook({ db, workspace }: Tenant, webhookId: string): Promise<Webhook> {
  const [webhook] = await db.select().from(webhooks).where(webhookById(workspace.id, webhookId));
  if (webhook === undefined) throw notFound();
  return webhook;
}

/**
 * Changes what the patch names. An endpoint that is enabled again begins with no failures: `resetFailures` sees to it
 * before. One that is disabled gets nothing more. Errors: as {@link createWebhook}, and `RESOURCE_NOT_FOUND`.
 */
export async function updateWebhook(
  tenant: Tenant,
  webhookId: string,
  patch: WebhookPatch,
  resetFailures: (webhookId: string) => Promise<void>,
): Promise<Webhook> {
  const { db, workspace, nowMs } = tenant;
  if (patch.url !== undefined) await requirePermittedUrl(tenant, patch.url);
  const before = await getWebhook(tenant, webhookId);
  if (Object.keys(patch).length === 0) return before;
  if (patch.enabled && !before.enabled) await resetFailures(webhookId);
  const update = db
    .update(webhooks)
    .set({
      ...(patch.url !== undefined && { url: patch.url, hostname: hostnameOf(patch.url) }),
      ...(patch.description !== undefined && { description: patch.description }),
      ...(patch.events && { events: patch.events }),
      ...(patch.enabled !== undefined && { enabled: patch.enabled }),
      ...(patch.enabled && { disabledAt: null }),
      updatedAt: nowMs,
    })
    .where(webhookById(workspace.id, webhookId))
    .returning();
  const [[updated]] =
    patch.enabled === false
      ? await db.batch([update, failWaitingDeliveries(db, webhookId, nowMs)])
      : await db.batch([update]);
  if (updated === undefined) throw notFound();
  return updated;
}

/** Deletes an endpoint, which gets nothing more. Throws `RESOURCE_NOT_FOUND`. */
export async function deleteWebhook(tenant: Tenant, webhookId: string): Promise<void> {
  const { db, workspace, nowMs } = tenant;
  const isOurs = webhookById(workspace.id, webhookId);
  const [, [deleted]] = await db.batch([
    releaseUsage(tenant, "webhooks", sql`(select count(*) from ${webhooks} where ${isOurs})`),
    db.delete(webhooks).where(isOurs).returning({ id: webhooks.id }),
    failWaitingDeliveries(
      db,
      webhookId,
      nowMs,
      sql`not exists (select 1 from ${webhooks} where id = ${webhookId})`,
    ),
  ]);
  if (deleted === undefined) throw notFound();
}

/** Gives an endpoint a new secret; the old one signs too for a day unless `immediate`. Throws `RESOURCE_NOT_FOUND`. */
export async function rotateSecret(
  { db, workspace, nowMs }: Tenant,
  key: SealKey,
  webhookId: string,
  immediate: boolean,
): Promise<{ webhook: Webhook; secret: string }> {
  const secret = generateSecret();
  const [webhook] = await db
    .update(webhooks)
    .set({
      secret: await seal(key, secret, webhookId),
      previousSecrets: immediate ? [] : withReplaced(nowMs),
      updatedAt: nowMs,
    })
    .where(webhookById(workspace.id, webhookId))
    .returning();
  if (webhook === undefined) throw notFound();
  return { webhook, secret };
}

/** The secrets that sign on beside a new one: the one it replaces, then those replaced before whose time is not over. */
function withReplaced(nowMs: number): SQL {
  return sql`(select json_group_array(json(item)) from (
    select json_object('secret', ${webhooks.secret}, 'until', ${nowMs + ROTATION_MS}) as item, -1 as place
     union all
    select previous.value, previous.key from json_each(${webhooks.previousSecrets}) as previous
     where previous.value ->> '$.until' > ${nowMs}
     order by place limit ${PREVIOUS_SECRETS_MAX}))`;
}

/**
 * Disables an endpoint that failed too often: its waiting deliveries become failed, and the workspace's other endpoints
 * hear of it. Does nothing if it is disabled already.
 */
export async function disableWebhook(
  outbox: Pick<Tenant, "db" | "nowMs" | "queueDeliveries">,
  { id, workspaceId }: Pick<Webhook, "id" | "workspaceId">,
): Promise<void> {
  const { db, nowMs } = outbox;
  const isEnabled = and(webhookById(workspaceId, id), eq(webhooks.enabled, true));
  const disabledAt = toIso(nowMs);
  const disabled: OutboxEvent = {
    type: "webhook.disabled",
    rows: sql`select json_object('webhook_id', id, 'url', url, 'disabled_at', ${disabledAt}) as data,
                     ${disabledAt} as timestamp, 0 as ordinal
                from ${webhooks} where ${isEnabled}`,
    isReadBefore: true,
  };
  const isOther = sql`${webhooks.workspaceId} = ${workspaceId} and ${webhooks.id} <> ${id}
                      and ${subscribedTo("webhook.disabled")}`;
  const update = db
    .update(webhooks)
    .set({ enabled: false, disabledAt: nowMs, updatedAt: nowMs })
    .where(isEnabled);
  await commitTo(outbox, [update, failWaitingDeliveries(db, id, nowMs)], disabled, isOther);
}

/** The endpoint as it is answered; the secret is no part of it. */
export function presentWebhook(webhook: Webhook): WebhookResponse {
  return {
    id: webhook.id,
    url: webhook.url,
    description: webhook.description,
    events: webhook.events,
    enabled: webhook.enabled,
    disabled_at: toIsoOrNull(webhook.disabledAt),
    created_at: toIso(webhook.createdAt),
    updated_at: toIso(webhook.updatedAt),
  };
}

export function webhookById(workspaceId: string, webhookId: string): SQL | undefined {
  return and(eq(webhooks.workspaceId, workspaceId), eq(webhooks.id, webhookId));
}

/** The statement that gives up on an endpoint's waiting deliveries. */
function failWaitingDeliveries(db: Database, webhookId: string, nowMs: number, condition?: SQL) {
  const isWaiting = and(
    eq(webhookDeliveries.webhookId, webhookId),
    isNotNull(webhookDeliveries.nextAttemptAt),
  );
  return db
    .update(webhookDeliveries)
    .set({ status: "failed", failedAt: nowMs, nextAttemptAt: null })
    .where(and(isWaiting, condition));
}

function hostnameOf(url: string): string {
  return normalizeHostname(new URL(url).hostname);
}

async function requirePermittedUrl({ db, settings }: Tenant, url: string): Promise<void> {
  const fault = outboundFault(url, endpointPolicy(settings, await findOwnDomains(db, [hostnameOf(url)])));
  if (fault !== null) throw invalid({ field: "url", message: fault });
}
