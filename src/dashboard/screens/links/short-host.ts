import { api, callApi } from "../../data/calls.ts";
import { useResource } from "../../data/resources.ts";
import type { LinkPage } from "./link-store.ts";

/** Start of short URLs: `url` with its scheme, or null until it is loaded, and `text` as it is displayed. */
export interface ShortHost {
  url: string | null;
  text: string;
}

/**
 * Returns the starts of short URLs: first the start that a loaded link uses, then one for each active domain.
 */
export function useShortHosts(page: LinkPage | undefined): ShortHost[] {
  const known = page?.items[0];
  const domains = useResource("domains", async () => {
    const { data } = await callApi(api.GET("/v1/domains", { params: { query: {} } }));
    return data
      .filter(({ status }) => status === "active")
      .sort((a, b) => Number(b.is_primary) - Number(a.is_primary))
      .map(({ hostname }) => hostname);
  });
  const port = location.port === "" ? "" : `:${location.port}`;
  const urls = (domains.value ?? []).map((hostname) => `${location.protocol}//${hostname}${port}/`);
  const first = known ? [known.short_url.slice(0, -known.short_code.length)] : [];
  const starts = [...new Set([...first, ...urls])];
  if (starts.length === 0) return [{ url: null, text: "/" }];
  return starts.map((url) => ({ url, text: url.replace(/^https?:\/\//, "") }));
}
