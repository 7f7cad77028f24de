import { api, callApi, type Schemas } from "../../data/calls.ts";
import { appendPage, changeItem, type PagedList } from "../../data/paged-list.ts";
import { resources } from "../../data/resources.ts";
import type { DomainChange } from "./domain-draft.ts";

/** Domains of the workspace. */

export type Domain = Schemas["Domain"];

/** Key of the list in the cache. */
export const DOMAINS_KEY = "domain-list";

export interface DomainList extends PagedList<Domain> {
  total: number;
}

/** Reads a part of the list, from its start or after a cursor. */
export async function readDomains(before: string | null = null): Promise<DomainList> {
  const query = before === null ? {} : { before };
  const { data, meta } = await callApi(api.GET("/v1/domains", { params: { query } }));
  return { items: data, total: meta.total, nextBefore: meta.next_before };
}

/** Reads the next part of the list, and adds it to what is known. */
export async function readFurtherDomains(known: DomainList): Promise<void> {
  await resources.read(DOMAINS_KEY, async () => {
    const next = await readDomains(known.nextBefore);
    return { ...next, ...appendPage(known, next) };
  });
}

/** Adds a domain. */
export async function addDomain(hostname: string, idempotencyKey: string): Promise<Domain> {
  const header = { "Idempotency-Key": idempotencyKey };
  const { data } = await callApi(api.POST("/v1/domains", { params: { header }, body: { hostname } }));
  resources.change<DomainList>(DOMAINS_KEY, (list) => ({
    ...list,
    items: [data, ...list.items.filter(({ id }) => id !== data.id)],
    total: list.total + 1,
  }));
  return data;
}

/** Looks the proof of a domain up now. Returns why it stays pending, or null if it is active. */
export async function checkDomain(id: string): Promise<string | null> {
  const call = api.POST("/v1/domains/{domain_id}/verify", { params: { path: { domain_id: id } } });
  const { data, meta } = await callApi(call);
  showDomain(data);
  return data.status === "active" ? null : (meta.warnings?.[0] ?? "The domain is still pending.");
}

/** Changes the settings of a domain. */
export async function updateDomain(id: string, change: DomainChange): Promise<Domain> {
  const path = { domain_id: id };
  const body = change as Schemas["Domain"];
  const { data } = await callApi(
    api.PATCH("/v1/domains/{domain_id}", { params: { path }, body: body as object }),
  );
  showDomain(data);
  return data;
}

/** Makes a domain the one in short URLs. */
export async function makePrimary(id: string): Promise<void> {
  const path = { domain_id: id };
  await callApi(api.PATCH("/v1/domains/{domain_id}", { params: { path }, body: { is_primary: true } }));
  resources.change<DomainList>(DOMAINS_KEY, (list) => ({
    ...list,
    items: list.items.map((domain) => ({ ...domain, is_primary: domain.id === id })),
  }));
}

/** Removes a domain. */
export async function removeDomain(id: string): Promise<void> {
  await callApi(api.DELETE("/v1/domains/{domain_id}", { params: { path: { domain_id: id } } }));
  resources.change<DomainList>(DOMAINS_KEY, (list) => ({
    ...list,
    items: list.items.filter((domain) => domain.id !== id),
    total: list.total - 1,
  }));
}

function showDomain(domain: Domain): void {
  resources.change<DomainList>(DOMAINS_KEY, (list) =>
    changeItem<Domain, DomainList>(list, domain.id, domain),
  );
}
