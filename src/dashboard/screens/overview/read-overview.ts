import { api, callApi, type Schemas } from "../../data/calls.ts";
import type { ShownResource } from "../../data/resources.ts";
import { useKeptResource } from "../../reports/read-scans.ts";
import { workspace } from "../../session/session.ts";
import type { AttentionItem, BROKEN_READ, listAttention, WorkspaceItems } from "./attention.ts";

/**
 * API calls of the overview. They run in parallel, and each card is shown as soon as its own call returns.
 */

/** Number of links to read. Only the newest are shown, but all are checked for an approaching expiry. */
const LINKS_READ = 50;
/** Enough deliveries to find failures behind those that are pending. */
const WEBHOOKS_QUERY = { limit: 100, recent: 10 };
const BROKEN_QUERY = { destination_status: "broken", limit: 20 satisfies typeof BROKEN_READ } as const;

export type Usage = Schemas["Usage"];

/** Reads the plan's usage and limits. */
export function useUsage(): ShownResource<Usage> {
  return useKeptResource("usage", async () => (await callApi(api.GET("/v1/workspace/usage"))).data);
}

export function useNewestLinks(): ShownResource<Schemas["Link"][]> {
  return useKeptResource("newest-links", async () => {
    const { data } = await callApi(api.GET("/v1/links", { params: { query: { limit: LINKS_READ } } }));
    return data;
  });
}

/** Items of the workspace that are checked for problems and not shown elsewhere on the overview. */
interface CheckedItems extends Pick<WorkspaceItems, "webhooks" | "domains" | "keys" | "brokenLinks"> {
  list: typeof listAttention;
}

/**
 * Reads webhooks, domains and links with a broken destination, and for owners also keys. Loads the code that checks
 * them at the same time. A list that can't be read counts as empty, because its own screen shows the error.
 */
export function useCheckedItems(): ShownResource<CheckedItems> {
  return useKeptResource("attention", async () => {
    const { role, slug = "" } = workspace.peek() ?? {};
    const header = { "X-SVC-Workspace": slug };
    const [{ listAttention: list }, webhooks, domains, brokenLinks, keys] = await Promise.all([
      import("./attention.ts"),
      readOrNone(callApi(api.GET("/v1/webhooks", { params: { query: WEBHOOKS_QUERY } }))),
      readOrNone(callApi(api.GET("/v1/domains", { params: { query: {} } }))),
      readOrNone(callApi(api.GET("/v1/links", { params: { query: BROKEN_QUERY } }))),
      role === "owner" ? readOrNone(callApi(api.GET("/v1/keys", { params: { header } }))) : [],
    ]);
    return { list, webhooks, domains, keys, brokenLinks };
  });
}

async function readOrNone<Item>(call: Promise<{ data: Item[] }>): Promise<Item[]> {
  try {
    return (await call).data;
  } catch {
    return [];
  }
}

/** Usage of one limited resource. */
export interface Meter {
  /** Name for use in a sentence, such as "links this month". */
  name: string;
  used: number;
  limit: number;
}

/** Lists the resources that the plan limits. */
export function listMeters({ usage, limits }: Usage): Meter[] {
  return [
    { name: "links this month", used: usage.links_created_this_month, limit: limits.links_per_month },
    { name: "API calls this month", used: usage.api_calls_this_month, limit: limits.api_calls_per_month },
    { name: "QR templates", used: usage.total_qr_templates, limit: limits.qr_templates },
    { name: "bio pages", used: usage.total_bio_pages, limit: limits.bio_pages },
    { name: "bytes of changes today", used: usage.written_bytes_today, limit: limits.written_bytes_per_day },
    { name: "storage in MiB", used: usage.storage_mb, limit: limits.storage_mb },
  ];
}

/** Lists what needs attention. Items that haven't loaded yet are skipped. */
export function collectAttention(
  { list, ...items }: CheckedItems,
  links: readonly Schemas["Link"][] | undefined,
  usage: Usage | undefined,
): AttentionItem[] {
  const known = { ...items, links: links ?? [], usage: usage ? listMeters(usage) : [] };
  return list(known, Date.now());
}
