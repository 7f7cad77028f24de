import { and, count, desc, eq, getTableColumns, lt, ne, type SQL, sql } from "drizzle-orm";
import { ApiError, type FieldFault, invalid, notFound } from "../core/error.ts";
import { normalizeHostname } from "../core/hosts.ts";
import { toIso, toIsoOrNull } from "../core/time.ts";
import { violatesUnique } from "../db/constraint.ts";
import { inJson } from "../db/in-json.ts";
import { isOwnHost, isOwnPort, type Settings, shortUrl } from "../env.ts";
import type { RoutingRule } from "../routing/rules.ts";
import { generateShortCode, toCodeKey } from "../routing/short-code.ts";
import { findOwnDomains, selectOwnDomains } from "../tenant/domains.ts";
import { hasFeature } from "../tenant/plans.ts";
import { deriveId, recover } from "../tenant/request-origin.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { isPlanExceeded, planLimitError, releaseUsage, selectLinkCount, takeUsage } from "../tenant/usage.ts";
import { commit, newEvent, type OutboxEvent } from "../webhooks/outbox.ts";
import type { LinkFilter, LinkPatch, LinkResponse, NewLink } from "./links.schema.ts";
import { linkLabels, links } from "./links.table.ts";

/** A link as it is stored. */
export type Link = typeof links.$inferSelect;

/** Tries at a free code. In a space of 10^12 the second is next to never needed. */
export const CODE_TRIES = 5;

/** Creates a link. Errors: `VALIDATION_ERROR`, `FEATURE_NOT_AVAILABLE`, `PLAN_LIMIT_EXCEEDED`, `SLUG_TAKEN`. */
export async function createLink(tenant: Tenant, input: NewLink): Promise<Link> {
  requireForeignHosts(tenant, input);
  if (needsRoutingRules(tenant, input.routing_rules)) throw noRoutingRules(tenant);
  for (let tries = 1; ; tries++) {
    const row = newRow(tenant, input);
    try {
      const [, [link]] = await commit(
        tenant,
        [takeUsage(tenant, "links"), tenant.db.insert(links).values(row).returning()],
        linkCreated(tenant, row),
      );
      return link as Link;
    } catch (error) {
      const made = await recover(tenant, getLink);
      if (made !== null) return made;
      await refuseOwnDomains(tenant, input);
      if (isPlanExceeded(error)) throw planLimitError(tenant, "links");
      if (!isCodeTaken(error)) throw error;
      if (input.custom_slug !== undefined) throw slugTaken(input.custom_slug);
      if (tries === CODE_TRIES) throw error;
    }
  }
}

/** The row of the `ordinal`-th link that a request makes, with its own slug or a fresh code. */
export function newRow(tenant: Tenant, input: NewLink, ordinal = 0): Link {
  const { settings, workspace, nowMs } = tenant;
  const shortCode = input.custom_slug ?? generateShortCode();
  const rules = input.routing_rules ?? [];
  return {
    id: deriveId(tenant, ordinal),
    workspaceId: workspace.id,
    shortCode,
    codeKey: toCodeKey(shortCode),
    isCustom: input.custom_slug !== undefined,
    destination: input.url,
    destinationHost: "",
    ruleHosts: [],
    ...hostsOf(settings, { url: input.url, routing_rules: rules }),
    enabled: true,
    labels: input.labels ?? [],
    routingRules: rules,
    expiresAt: input.expires_at ?? null,
    scanCount: 0,
    lastScanAt: null,
    createdAt: nowMs,
    updatedAt: nowMs,
    qrRenderedAt: null,
  };
}

/** A link of the workspace. Throws `RESOURCE_NOT_FOUND`. */
export async function getLink({ db, workspace }: Tenant, linkId: string): Promise<Link> {
  const [link] = await db.select().from(links).where(isLink(workspace.id, linkId));
  if (link === undefined) throw notFound();
  return link;
}

/** A page of the workspace's links, newest first, and how many there are in all. */
export async function listLinks(
  tenant: Tenant,
  { label, ...conditions }: LinkFilter,
  limit: number,
  offset: number,
): Promise<{ links: Link[]; total: number }> {
  const where = matching(conditions);
  const { rows, total } =
    label === undefined ? selectAll(tenant, where) : selectLabelled(tenant, label, where);
  const [page, [counted]] = await tenant.db.batch([rows.limit(limit).offset(offset), total]);
  return { links: page, total: counted?.total ?? 0 };
}

/** The statements that select the workspace's links, newest first, and tell their number. */
function selectAll(tenant: Tenant, where: SQL | undefined) {
  const { db, workspace } = tenant;
  const isOurs = and(eq(links.workspaceId, workspace.id), where);
  const counted = db.select({ total: count() }).from(links).where(isOurs);
  return {
    rows: db.select(getTableColumns(links)).from(links).where(isOurs).orderBy(desc(links.id)),
    total: where === undefined ? selectLinkCount(tenant) : counted,
  };
}

/** The same of the links with a label, found by it: of other links nothing is read. */
function selectLabelled({ db, workspace }: Tenant, label: string, where: SQL | undefined) {
  const isOurs = and(eq(linkLabels.workspaceId, workspace.id), eq(linkLabels.label, label));
  const isLabels = eq(links.id, linkLabels.linkId);
  const labels = db.select({ total: count() }).from(linkLabels);
  return {
    rows: db
      .select(getTableColumns(links))
      .from(linkLabels)
      .innerJoin(links, isLabels)
      .where(and(isOurs, where))
      .orderBy(desc(linkLabels.linkId)),
    total:
      where === undefined
        ? labels.where(isOurs)
        : labels.innerJoin(links, isLabels).where(and(isOurs, where)),
  };
}

/** The workspace's links created before the one named, newest first: a step of a walk over all of them. */
export async function listLinksBefore(
  { db, workspace }: Tenant,
  beforeId: string | null,
  limit: number,
): Promise<Link[]> {
  const before = beforeId === null ? undefined : lt(links.id, beforeId);
  return db
    .select()
    .from(links)
    .where(and(eq(links.workspaceId, workspace.id), before))
    .orderBy(desc(links.id))
    .limit(limit);
}

/** Links that a request changed, and those of their hosts that workspaces have added by now. */
export interface LinkChange {
  changed: Link[];
  ownHosts: string[];
}

/** Changes what the patch names. Errors: as {@link createLink}, and `RESOURCE_NOT_FOUND`. */
export async function updateLink(
  tenant: Tenant,
  linkId: string,
  patch: LinkPatch,
): Promise<LinkChange & { link: Link }> {
  requireForeignHosts(tenant, patch);
  if (Object.keys(patch).length === 0) {
    return { link: await getLink(tenant, linkId), changed: [], ownHosts: [] };
  }
  if (needsRoutingRules(tenant, patch.routing_rules)) {
    await getLink(tenant, linkId);
    throw noRoutingRules(tenant);
  }
  const isNamed = isLink(tenant.workspace.id, linkId);
  const update = tenant.db
    .update(links)
    .set({
      ...(patch.url !== undefined && { destination: patch.url }),
      ...(patch.labels && { labels: patch.labels }),
      ...(patch.enabled !== undefined && { enabled: patch.enabled }),
      ...(patch.routing_rules && { routingRules: patch.routing_rules }),
      ...(patch.expires_at !== undefined && { expiresAt: patch.expires_at }),
      ...hostsOf(tenant.settings, patch),
      updatedAt: nextUpdate(tenant),
    })
    .where(isNamed)
    .returning();
  const [[link], own] = await commit(
    tenant,
    [update, selectOwnHosts(tenant, isNamed)],
    linkStates(tenant, "link.updated", isNamed),
  ).catch(async (error) => {
    await refuseOwnDomains(tenant, patch);
    throw error;
  });
  if (link === undefined) throw notFound();
  return { link, changed: [link], ownHosts: own.map(({ hostname }) => hostname) };
}

/** Deletes a link, which frees its slug. Throws `RESOURCE_NOT_FOUND`. */
export async function deleteLink(tenant: Tenant, linkId: string): Promise<Link> {
  const isNamed = isLink(tenant.workspace.id, linkId);
  const rendered = sql`(select count(${links.qrRenderedAt}) from ${links} where ${isNamed})`;
  const [, [deleted]] = await commit(
    tenant,
    [releaseUsage(tenant, "dynamic_qr", rendered), tenant.db.delete(links).where(isNamed).returning()],
    { ...linkStates(tenant, "link.deleted", isNamed), isReadBefore: true },
  );
  if (deleted === undefined) throw notFound();
  return deleted;
}

/** Enables or disables links; unknown ids are skipped. `named` counts the workspace's links among the ids. */
export async function setLinksEnabled(
  tenant: Tenant,
  linkIds: readonly string[],
  enabled: boolean,
): Promise<LinkChange & { named: number }> {
  const { db, workspace } = tenant;
  const isNamed = and(eq(links.workspaceId, workspace.id), inJson(links.id, linkIds));
  const isChanged = and(isNamed, ne(links.enabled, enabled));
  const [[counted], changed, own] = await commit(
    tenant,
    [
      db.select({ named: count() }).from(links).where(isNamed),
      db
        .update(links)
        .set({ enabled, updatedAt: nextUpdate(tenant) })
        .where(isChanged)
        .returning(),
      selectOwnHosts(tenant, isNamed),
    ],
    { ...linkStates(tenant, "link.updated", isChanged, enabled), isReadBefore: true },
  );
  return { named: counted?.named ?? 0, changed, ownHosts: own.map(({ hostname }) => hostname) };
}

/** Now, but later than the last change: `updated_at` also tells which of two states of a link is the newer. */
function nextUpdate({ nowMs }: Tenant): SQL {
  return sql`max(${nowMs}, ${links.updatedAt} + 1)`;
}

/** The statement that finds, among the hosts of some links, those that workspaces have added since. */
function selectOwnHosts({ db }: Tenant, isNamed: SQL | undefined) {
  const hostnames = sql`select ${links.destinationHost} from ${links} where ${isNamed}
                        union select value from ${links}, json_each(${links.ruleHosts}) where ${isNamed}`;
  return selectOwnDomains(db, hostnames);
}

function linkCreated({ nowMs }: Tenant, { id, shortCode, destination }: Link): OutboxEvent {
  return newEvent("link.created", nowMs, { link_id: id, short_code: shortCode, destination });
}

/** A change to each link of a condition. `enabled` is said where the row does not say it yet. */
function linkStates(
  { nowMs }: Tenant,
  type: "link.updated" | "link.deleted",
  condition: SQL | undefined,
  enabled?: boolean,
): OutboxEvent {
  const isEnabled = enabled === undefined ? links.enabled : sql`${enabled ? 1 : 0}`;
  const rows = sql`select json_object('link_id', ${links.id}, 'short_code', ${links.shortCode},
                                      'destination', ${links.destination},
                                      'enabled', json(iif(${isEnabled}, 'true', 'false'))) as data,
                          ${toIso(nowMs)} as timestamp, row_number() over (order by ${links.id}) as ordinal
                     from ${links} where ${condition}`;
  return { type, rows };
}

/** The link as it is answered. */
export function presentLink({ settings, workspace }: Tenant, link: Link): LinkResponse {
  return {
    id: link.id,
    short_url: shortUrl(settings, workspace.hostnames[0], link.shortCode),
    short_code: link.shortCode,
    destination: link.destination,
    enabled: link.enabled,
    labels: link.labels,
    routing_rules: link.routingRules as LinkResponse["routing_rules"],
    scan_count: link.scanCount,
    last_scan_at: toIsoOrNull(link.lastScanAt),
    expires_at: toIsoOrNull(link.expiresAt),
    created_at: toIso(link.createdAt),
    updated_at: toIso(link.updatedAt),
  };
}

function isLink(workspaceId: string, linkId: string): SQL | undefined {
  return and(eq(links.workspaceId, workspaceId), eq(links.id, linkId));
}

function matching({ enabled, search }: Omit<LinkFilter, "label">): SQL | undefined {
  return and(
    enabled === undefined ? undefined : eq(links.enabled, enabled),
    search === undefined
      ? undefined
      : sql`(instr(${links.codeKey}, lower(${search})) > 0
             or instr(lower(${links.destination}), lower(${search})) > 0)`,
  );
}

/** Whether rules are given that the plan does not have; an empty array is no use of the feature. */
export function needsRoutingRules({ workspace }: Tenant, rules: readonly RoutingRule[] = []): boolean {
  return rules.length > 0 && !hasFeature(workspace.plan, "routingRules");
}

export function noRoutingRules({ workspace }: Tenant): ApiError {
  return new ApiError("FEATURE_NOT_AVAILABLE", `routing_rules: not on the ${workspace.plan} plan`);
}

type Destinations = Pick<LinkPatch, "url" | "routing_rules">;

/** Throws `VALIDATION_ERROR` for a destination on a host of this deployment, which would redirect in a circle. */
export function requireForeignHosts({ settings }: Tenant, input: Destinations): void {
  refuseWhere(input, (url) => isOwnHost(settings, url));
}

/**
 * The same for hosts that workspaces added. The database refuses these itself (trigger `links_own_host`); this finds
 * out, after a statement failed, whether that was the reason and which field it was.
 */
export async function refuseOwnDomains({ db, settings }: Tenant, input: Destinations): Promise<void> {
  const { destinationHost = "", ruleHosts = [] } = hostsOf(settings, input);
  const ownHosts = await findOwnDomains(db, [destinationHost, ...ruleHosts]);
  refuseWhere(input, (url) => ownHosts.has(hostOnOurPort(settings, url)));
}

function refuseWhere({ url, routing_rules = [] }: Destinations, isOwn: (url: URL) => boolean): void {
  const destinations = [
    ...(url === undefined ? [] : [{ field: "url", url }]),
    ...routing_rules.map((rule, index) => ({
      field: `routing_rules[${index}].destination`,
      url: rule.destination,
    })),
  ];
  const faults = destinations
    .filter((destination) => isOwn(new URL(destination.url)))
    .map(({ field }): FieldFault => ({ field, message: "must not be an address of this service" }));
  const [first, ...others] = faults;
  if (first !== undefined) throw invalid(first, ...others);
}

/** The columns by which the database knows the hosts of destinations; only those that are given. */
function hostsOf(
  settings: Settings,
  { url, routing_rules }: Destinations,
): Partial<Pick<Link, "destinationHost" | "ruleHosts">> {
  const hostOf = (destination: string) => hostOnOurPort(settings, new URL(destination));
  return {
    ...(url !== undefined && { destinationHost: hostOf(url) }),
    ...(routing_rules && { ruleHosts: [...new Set(routing_rules.map((rule) => hostOf(rule.destination)))] }),
  };
}

/** Empty for another port: what listens there is not this service. */
function hostOnOurPort(settings: Settings, url: URL): string {
  return isOwnPort(settings, url) ? normalizeHostname(url.hostname) : "";
}

export function isCodeTaken(error: unknown): boolean {
  return violatesUnique(error, "links.workspace_id", "links.code_key");
}

export function slugTaken(slug: string): ApiError {
  return new ApiError("SLUG_TAKEN", `custom_slug: ${slug} is used by another link of this workspace`);
}
