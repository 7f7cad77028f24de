import { and, desc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { created, deleted, updated } from "../audit/describe-changes.ts";
import { logChange } from "../audit/shard-log.ts";
import { createNotFoundError, createValidationError } from "../core/error.ts";
import { normalizeHostname } from "../core/hosts.ts";
import { maskUrl } from "../core/mask-url.ts";
import { findOutboundProblem } from "../core/outbound.ts";
import { deriveSealKey, type SealKey, type SealSecrets, seal, unseal } from "../core/seal.ts";
import { DAY_MS, toIso, toIsoOrNull } from "../core/time.ts";
import { cutPage, type ListPage, olderThan } from "../db/list-page.ts";
import { findOwnDomains } from "../tenant/host-copies.ts";
import { buildOutboundPolicy } from "../tenant/own-hosts.ts";
import { deriveId } from "../tenant/request-origin.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { countLane, selectLastLane } from "../tenant/tenants.ts";
import { recoverOrRefuse, releaseUsage, selectUsage, takeUsage } from "../tenant/usage.ts";
import type { DeliveryStatus } from "./delivery-state.ts";
import { ALL_EVENTS } from "./events.ts";
import { closeLane, deleteLane, failStale } from "./lanes.ts";
import { commitTo, type Outbox, selectEvents, subscribedTo } from "./outbox.ts";
import { generateSecret } from "./signature.ts";
import { auditedWebhook } from "./webhook-audit.ts";
import type { ListedWebhookResponse, NewWebhook, WebhookPatch, WebhookResponse } from "./webhooks.schema.ts";
import { eventDeliveries, webhookLanes, webhooks } from "./webhooks.table.ts";

/** Stored endpoint. Its secrets are sealed (encrypted). */
export type Webhook = typeof webhooks.$inferSelect;

/** Time for which a replaced secret still signs, in addition to the new one. */
const ROTATION_MS = DAY_MS;

/** Maximum number of replaced secrets that still sign. Each adds a signature to a header. */
const PREVIOUS_SECRETS_MAX = 10;

/** Derives the key that seals signing secrets. Throws if the Worker secret is missing or too short. */
export function deriveSecretKey(secrets: SealSecrets): Promise<SealKey> {
  return deriveSealKey(secrets, "webhook signing secrets");
}

/** Error for a signing secret that was sealed with a different Worker secret. */
export class UnreadableSecretError extends Error {
  constructor() {
    super("the signing secret cannot be read; rotate it");
    this.name = "UnreadableSecretError";
  }
}

/**
 * Returns the secrets that sign an endpoint's deliveries: the current secret, then the secrets replaced
 * within the last day. Throws {@link UnreadableSecretError}.
 */
export async function unsealSigningSecrets(
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
    throw new UnreadableSecretError();
  }
}

/**
 * Registers an endpoint, and returns the endpoint and its secret. Throws `VALIDATION_ERROR`,
 * `PLAN_LIMIT_EXCEEDED`.
 */
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
    hostname: parseHostname(input.url),
    description: input.description ?? "",
    events: input.events ?? [ALL_EVENTS],
    enabled: true,
    disabledAt: null,
    secret: await seal(key, secret, id),
    previousSecrets: [],
    createdAt: nowMs,
    updatedAt: nowMs,
    skippedCount: 0,
    skippedAt: null,
  };
  try {
    await db.batch([
      takeUsage(tenant, "webhooks"),
      db.insert(webhooks).values(row),
      logChange(tenant, created(auditedWebhook, webhookById(workspace.id, id))),
      countLane(tenant),
      db
        .insert(webhookLanes)
        .values({ id: selectLastLane(tenant), webhookId: id, workspaceId: workspace.id }),
    ]);
  } catch (error) {
    const recovered = await recoverOrRefuse(tenant, "webhooks", error, getWebhook);
    return { webhook: recovered, secret: await unseal(key, recovered.secret, recovered.id) };
  }
  return { webhook: row, secret };
}

/** Endpoint in a list, with the statuses of its last deliveries. */
export interface ListedWebhook extends Webhook {
  recentStatuses: DeliveryStatus[];
}

/**
 * Returns a page of the workspace's endpoints, newest first, with the statuses of their `recent` last
 * deliveries, and the total number of endpoints.
 */
export async function listWebhooks(
  tenant: Tenant,
  { limit, offset, before, recent }: ListPage & { recent: number },
): Promise<{ webhooks: ListedWebhook[]; total: number; nextBefore: string | null }> {
  const { db, workspace } = tenant;
  const newest = sql`select status from ${eventDeliveries} as delivery
    where lane = (select lane.id from ${webhookLanes} as lane
                   where lane.webhook_id = webhooks.id and lane.workspace_id = ${workspace.id})
    order by delivery.id desc limit ${recent}`;
  const statuses = sql<string>`(select json_group_array(status) from (${newest}))`.mapWith(
    (json): DeliveryStatus[] => JSON.parse(json),
  );
  const listed = and(eq(webhooks.workspaceId, workspace.id), olderThan(webhooks.id, before));
  const [read, [counted]] = await db.batch([
    db
      .select({ ...getTableColumns(webhooks), recentStatuses: statuses })
      .from(webhooks)
      .where(listed)
      .orderBy(desc(webhooks.id))
      .limit(limit + 1)
      .offset(offset),
    selectUsage(tenant, "webhooks"),
  ]);
  const { rows, nextBefore } = cutPage(read, limit);
  return { webhooks: rows, total: counted?.total ?? 0, nextBefore };
}

/** Returns an endpoint of the workspace. Throws `RESOURCE_NOT_FOUND`. */
export async function getWebhook({ db, workspace }: Tenant, webhookId: string): Promise<Webhook> {
  const [webhook] = await db.select().from(webhooks).where(webhookById(workspace.id, webhookId));
  if (webhook === undefined) throw createNotFoundError("webhook");
  return webhook;
}

/**
 * Updates the fields in the patch. Enabling a disabled endpoint first calls `resetFailures`, so that counting
 * starts from 0. Disabling an endpoint fails its waiting deliveries; if there are many, the sweep fails the
 * rest. Throws `VALIDATION_ERROR`, `RESOURCE_NOT_FOUND`.
 */
export async function updateWebhook(
  tenant: Tenant,
  webhookId: string,
  patch: WebhookPatch,
  resetFailures: (webhookId: string) => Promise<void>,
): Promise<Webhook> {
  const { db, workspace, nowMs } = tenant;
  if (patch.url !== undefined) await requirePermittedUrl(tenant, patch.url);
  if (Object.keys(patch).length === 0) return getWebhook(tenant, webhookId);
  if (patch.enabled && !(await getWebhook(tenant, webhookId)).enabled) await resetFailures(webhookId);
  const endpoint = { id: webhookId, workspaceId: workspace.id };
  const byId = webhookById(workspace.id, webhookId);
  const columns = {
    ...(patch.url !== undefined && { url: patch.url, hostname: parseHostname(patch.url) }),
    ...(patch.description !== undefined && { description: patch.description }),
    ...(patch.events && { events: patch.events }),
    ...(patch.enabled !== undefined && { enabled: patch.enabled }),
    ...(patch.enabled && { disabledAt: null }),
    updatedAt: nowMs,
  };
  const log = logChange(tenant, updated(auditedWebhook, byId, columns));
  const update = db.update(webhooks).set(columns).where(byId).returning();
  const [, [webhook]] =
    patch.enabled === false
      ? await db.batch([log, update, closeLane(db, endpoint), ...failStale(db, endpoint, nowMs)])
      : await db.batch([log, update]);
  if (webhook === undefined) throw createNotFoundError("webhook");
  return webhook;
}

/**
 * Deletes an endpoint. Its deliveries are no longer visible; the sweep deletes them. Throws
 * `RESOURCE_NOT_FOUND`.
 */
export async function deleteWebhook(tenant: Tenant, webhookId: string): Promise<void> {
  const { db, workspace, nowMs } = tenant;
  const byId = webhookById(workspace.id, webhookId);
  const [, , , [removed]] = await db.batch([
    logChange(tenant, deleted(auditedWebhook, byId)),
    releaseUsage(tenant, "webhooks", sql`(select count(*) from ${webhooks} where ${byId})`),
    deleteLane(db, { id: webhookId, workspaceId: workspace.id }, nowMs),
    db.delete(webhooks).where(byId).returning({ id: webhooks.id }),
  ]);
  if (removed === undefined) throw createNotFoundError("webhook");
}

/**
 * Replaces an endpoint's secret. The old secret still signs for a day, unless `immediate` is true. Throws
 * `RESOURCE_NOT_FOUND`.
 */
export async function rotateSecret(
  tenant: Tenant,
  key: SealKey,
  webhookId: string,
  immediate: boolean,
): Promise<{ webhook: Webhook; secret: string }> {
  const { db, workspace, nowMs } = tenant;
  const secret = generateSecret();
  const sealed = await seal(key, secret, webhookId);
  const byId = webhookById(workspace.id, webhookId);
  const [, [webhook]] = await db.batch([
    logChange(tenant, { ...updated(auditedWebhook, byId, { secret: sealed }), isRepeatable: true }),
    db
      .update(webhooks)
      .set({
        secret: sealed,
        previousSecrets: immediate ? [] : selectPreviousSecrets(nowMs),
        updatedAt: nowMs,
      })
      .where(byId)
      .returning(),
  ]);
  if (webhook === undefined) throw createNotFoundError("webhook");
  return { webhook, secret };
}

/**
 * Returns the SQL expression for the replaced secrets after a rotation: the secret being replaced, then
 * earlier ones that haven't expired.
 */
function selectPreviousSecrets(nowMs: number): SQL {
  return sql`(select json_group_array(json(item)) from (
    select json_object('secret', ${webhooks.secret}, 'until', ${nowMs + ROTATION_MS}) as item, -1 as position
     union all
    select previous.value, previous.key from json_each(${webhooks.previousSecrets}) as previous
     where previous.value ->> '$.until' > ${nowMs}
     order by position limit ${PREVIOUS_SECRETS_MAX}))`;
}

/**
 * Disables an endpoint that failed too often. Its waiting deliveries fail. The workspace's other endpoints
 * receive `webhook.disabled` with the masked URL, unless too many deliveries are waiting. Does nothing if the
 * endpoint is already disabled.
 */
export async function disableWebhook(
  outbox: Outbox,
  { id, workspaceId, url }: Pick<Webhook, "id" | "workspaceId" | "url">,
  waitingCap: number,
): Promise<void> {
  const { db, nowMs } = outbox;
  const enabledById = and(webhookById(workspaceId, id), eq(webhooks.enabled, true));
  const disabled = selectEvents(
    "webhook.disabled",
    nowMs,
    { webhook_id: webhooks.id, url: sql`${maskUrl(url)}`, disabled_at: sql`${toIso(nowMs)}` },
    { from: sql`${webhooks} where ${enabledById}`, isReadBefore: true },
  );
  const update = db
    .update(webhooks)
    .set({ enabled: false, disabledAt: nowMs, updatedAt: nowMs })
    .where(enabledById);
  const endpoint = { id, workspaceId };
  await commitTo(outbox, [update, closeLane(db, endpoint), ...failStale(db, endpoint, nowMs)], disabled, {
    workspaceId,
    condition: sql`${webhooks.id} <> ${id} and ${subscribedTo("webhook.disabled")}`,
    cap: waitingCap,
    isSkipping: true,
  });
}

/** Formats an endpoint of a list, without its secret. */
export function presentListedWebhook(webhook: ListedWebhook, isMasked: boolean): ListedWebhookResponse {
  return { ...presentWebhook(webhook, isMasked), recent_statuses: webhook.recentStatuses };
}

/** Formats an endpoint for a response, without its secret. If `isMasked`, the URL has no path and query. */
export function presentWebhook(webhook: Webhook, isMasked = false): WebhookResponse {
  return {
    id: webhook.id,
    url: isMasked ? maskUrl(webhook.url) : webhook.url,
    description: webhook.description,
    events: webhook.events,
    enabled: webhook.enabled,
    disabled_at: toIsoOrNull(webhook.disabledAt),
    created_at: toIso(webhook.createdAt),
    updated_at: toIso(webhook.updatedAt),
    skipped_count: webhook.skippedCount,
    skipped_at: toIsoOrNull(webhook.skippedAt),
  };
}

/** Returns the condition for a workspace's endpoint. */
export function webhookById(workspaceId: string, webhookId: string): SQL | undefined {
  return and(eq(webhooks.workspaceId, workspaceId), eq(webhooks.id, webhookId));
}

function parseHostname(url: string): string {
  return normalizeHostname(new URL(url).hostname);
}

async function requirePermittedUrl({ db, settings }: Tenant, url: string): Promise<void> {
  const problem = findOutboundProblem(
    url,
    buildOutboundPolicy(settings, await findOwnDomains(db, [parseHostname(url)])),
  );
  if (problem !== null) throw createValidationError({ field: "url", message: problem });
}
