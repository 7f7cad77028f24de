// Pure: no I/O, clock or randomness.
import { normalizeHostname } from "../core/hosts.ts";
import type { PageContent } from "./page-content.ts";

/** Web address on a page, with its path in the page data. */
interface LinkUrl {
  path: PropertyKey[];
  url: URL;
}

/** Lists the URLs that a page links to, except those without a host, such as email addresses. */
export function listLinkUrls({
  links = [],
  socials = [],
}: Pick<PageContent, "links" | "socials">): LinkUrl[] {
  const found = [
    ...links.map(({ url }, index) => ({ path: ["links", index, "url"], url })),
    ...socials.map(({ url }, index) => ({ path: ["socials", index, "url"], url })),
  ];
  return found.flatMap(({ path, url }) => {
    const parsed = url === undefined ? null : new URL(url);
    return parsed === null || parsed.hostname === "" ? [] : [{ path, url: parsed }];
  });
}

/** Lists the hosts of {@link listLinkUrls} without duplicates. */
export function listLinkHosts(content: Pick<PageContent, "links" | "socials">): string[] {
  return [...new Set(listLinkUrls(content).map(({ url }) => normalizeHostname(url.hostname)))];
}
