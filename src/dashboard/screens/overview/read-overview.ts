import { api, callApi, type Schemas } from "../../data/calls.ts";
import { type KeptResource, useKeptResource } from "../../reports/read-scans.ts";
import { workspace } from "../../session/session.ts";
import { type AttentionItem, listAttention, type WorkspaceParts } from "./attention.ts";

/** Reads of the overview. Its requests are sent at the same time, and each part is shown when it is there. */

/** Links that are read at once: the newest are shown, and all are searched for those that end soon. */
const LINKS_READ = 50;
const WEBHOOKS_READ = 100;

export type Usage = Schemas["Usage"];

/** Reads usage and limits of the plan. */
export function useUsage(): KeptResource<Usage> {
  return useKeptResource("usage", async () => (await callApi(api.GET("/v1/workspace/usage"))).data);
}

/** Reads the newest links. */
export function useNewestLinks(): KeptResource<Schemas["Link"][]> {
  return useKeptResource("newest-links", async () => {
    const { data } = await callApi(api.GET("/v1/links", { params: { query: { limit: LINKS_READ } } }));
    return data;
  });
}

/** Parts of the workspace that may need attention, beside those that the overview shows. */
type Parts = Pick<WorkspaceParts, "webhooks" | "domains" | "keys">;

/** Reads webhooks, domains, and for owners keys. A part that cannot be read says nothing: its own screen tells why. */
export function useParts(): KeptResource<Parts> {
  return useKeptResource("attention", async () => {
    const { role, slug = "" } = workspace.peek() ?? {};
    const header = { "X-SVC-Workspace": slug };
    const [webhooks, domains, keys] = await Promise.all([
      readOrNone(callApi(api.GET("/v1/webhooks", { params: { query: { limit: WEBHOOKS_READ } } }))),
      readOrNone(callApi(api.GET("/v1/domains", { params: { query: {} } }))),
      role === "owner" ? readOrNone(callApi(api.GET("/v1/keys", { params: { header } }))) : [],
    ]);
    return { webhooks, domains, keys };
  });
}

async function readOrNone<Item>(call: Promise<{ data: Item[] }>): Promise<Item[]> {
  try {
    return (await call).data;
  } catch {
    return [];
  }
}

/** Meter of the plan. */
export interface Meter {
  /** Name in a sentence: "links this month". */
  name: string;
  used: number;
  limit: number;
}

/** Lists the counts that the plan limits. */
export function listMeters({ usage, limits }: Usage): Meter[] {
  return [
    { name: "new links this month", used: usage.links_created_this_month, limit: limits.links_per_month },
    { name: "API calls this month", used: usage.api_calls_this_month, limit: limits.api_calls_per_month },
    { name: "QR templates", used: usage.total_qr_templates, limit: limits.qr_templates },
    { name: "bio pages", used: usage.total_bio_pages, limit: limits.bio_pages },
    { name: "megabytes of files", used: usage.storage_mb, limit: limits.storage_mb },
  ];
}

/** Lists what needs attention, of the parts that are there. */
export function collectAttention(
  parts: Parts,
  links: readonly Schemas["Link"][] | undefined,
  usage: Usage | undefined,
): AttentionItem[] {
  const known = {
    ...{ webhooks: [], domains: [], keys: [] },
    ...parts,
    links: links ?? [],
    usage: usage ? listMeters(usage) : [],
  };
  return listAttention(known, Date.now());
}
