import { api, callApi } from "../../data/calls.ts";
import { useResource } from "../../data/resources.ts";
import type { LinkPage } from "./link-store.ts";

/** Start of the short URLs of the workspace: as an address, and as it is shown. Null until it is known. */
export interface ShortHost {
  url: string | null;
  text: string;
}

/** Returns the start of a short URL: of a link that is known, else of the primary domain. */
export function useShortHost(page: LinkPage | undefined): ShortHost {
  const known = page?.links[0];
  const primary = useResource("domains", async () => {
    const { data } = await callApi(api.GET("/v1/domains", { params: { query: {} } }));
    return data.find(({ is_primary }) => is_primary)?.hostname ?? null;
  });
  const port = location.port === "" ? "" : `:${location.port}`;
  const url = known
    ? known.short_url.slice(0, -known.short_code.length)
    : primary.value
      ? `${location.protocol}//${primary.value}${port}/`
      : null;
  return { url, text: url === null ? "/" : url.replace(/^https?:\/\//, "") };
}
