import { SLUG_MAX_LENGTH, toCodeKey } from "../../routing/short-code.ts";
import type { Schemas, SignpostClient } from "../client.ts";
import { ListError, type ListSelection, listAll } from "../list-all.ts";
import { callService, explainFailure, explainResponse } from "./api-call.ts";
import { CommandError, EXIT } from "./exit-code.ts";

type Link = Schemas["Link"];

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** Finds a link by its ID, short URL or short code. */
export async function findLink(client: SignpostClient, name: string): Promise<Link> {
  if (UUID.test(name)) {
    const { data } = await callService(
      client.GET("/v1/links/{link_id}", { params: { path: { link_id: name } } }),
    );
    return data;
  }
  const address = parseAddress(name);
  const code = address?.code ?? name;
  if (code.length <= SLUG_MAX_LENGTH && !code.includes(",")) {
    const query = { codes: code, archived: "all" as const };
    const { data } = await callService(client.GET("/v1/links", { params: { query } }));
    // The service matches codes case-insensitively, as it does for visitors.
    const link =
      address === null
        ? data.find((each) => toCodeKey(each.short_code) === toCodeKey(code))
        : data.find((each) => isSameUrl(each.short_url, address));
    if (link !== undefined) return link;
  }
  throw new CommandError(`no link found with the short code ${code}`, EXIT.missing);
}

/** Iterates over all links, page by page. Throws a {@link CommandError} if a page can't be read. */
export async function* walkLinks(
  client: SignpostClient,
  query: NonNullable<ListSelection<"/v1/links">["query"]>,
): AsyncGenerator<Link> {
  try {
    yield* listAll(client, "/v1/links", { query });
  } catch (error) {
    if (error instanceof ListError) throw explainResponse(error.status, error.body);
    throw explainFailure(error);
  }
}

/** Returns true if a short URL is the link's URL. Hosts and codes are case-insensitive. */
function isSameUrl(shortUrl: string, address: { url: string }): boolean {
  return toCodeKey(shortUrl) === toCodeKey(address.url);
}

/** Parses a short URL. Returns null for other text. */
function parseAddress(text: string): { url: string; code: string } | null {
  const url = /^https?:\/\//.test(text) && URL.canParse(text) ? new URL(text) : null;
  return url === null ? null : { url: url.href, code: url.pathname.slice(1) };
}
