import { api, callApi, type Schemas } from "../../data/calls.ts";
import { type CountedList, changeItem, putItem, removeItems, toPage } from "../../data/paged-list.ts";
import { resources } from "../../data/resources.ts";
import type { DomainChange } from "./domain-draft.ts";

/** Domains of the workspace: reads and changes them. */

export type Domain = Schemas["Domain"];

/** Cache key of the list. */
export const DOMAINS_KEY = "domain-list";

export type DomainList = CountedList<Domain>;

/** Reads one page of the list, from the start or after a cursor. */
export async function readDomains(before: string | null = null): Promise<DomainList> {
  const query = before === null ? {} : { before };
  return toPage(await callApi(api.GET("/v1/domains", { params: { query } })));
}

/** Adds a domain. Repeating the call with the same key is safe. */
export async function addDomain(hostname: string, idempotencyKey: string): Promise<Domain> {
  const header = { "Idempotency-Key": idempotencyKey };
  const { data } = await callApi(api.POST("/v1/domains", { params: { header }, body: { hostname } }));
  resources.change<DomainList>(DOMAINS_KEY, (list) => putItem(list, data));
  return data;
}

/** Checks the DNS records of a domain now. Returns why it is still pending, or null if it is active. */
export async function checkDomain(id: string): Promise<string | null> {
  const call = api.POST("/v1/domains/{domain_id}/verify", { params: { path: { domain_id: id } } });
  const { data, meta } = await callApi(call);
  showDomain(data);
  return data.status === "active" ? null : (meta.warnings?.[0] ?? "The DNS record wasn't found yet.");
}

export async function updateDomain(id: string, change: DomainChange): Promise<Domain> {
  const path = { domain_id: id };
  const body = change as Schemas["Domain"];
  const { data } = await callApi(
    api.PATCH("/v1/domains/{domain_id}", { params: { path }, body: body as object }),
  );
  showDomain(data);
  return data;
}

/** Makes a domain the primary one, which new short URLs use. */
export async function makePrimary(id: string): Promise<void> {
  const path = { domain_id: id };
  await callApi(api.PATCH("/v1/domains/{domain_id}", { params: { path }, body: { is_primary: true } }));
  resources.change<DomainList>(DOMAINS_KEY, (list) => ({
    ...list,
    items: list.items.map((domain) => ({ ...domain, is_primary: domain.id === id })),
  }));
}

export async function removeDomain(id: string): Promise<void> {
  await callApi(api.DELETE("/v1/domains/{domain_id}", { params: { path: { domain_id: id } } }));
  resources.change<DomainList>(DOMAINS_KEY, (list) => removeItems(list, new Set([id])));
}

function showDomain(domain: Domain): void {
  resources.change<DomainList>(DOMAINS_KEY, (list) => changeItem(list, domain.id, domain));
}
