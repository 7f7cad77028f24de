import { signal } from "@preact/signals";
import { CONTENT_TYPES, parseContent } from "../../../qr/content-fields.ts";
import type { DesignInput } from "../../../qr/design.ts";
import { type ContentType, encodeStructured } from "../../../qr/structured-content.ts";
import { formatCompactUrl } from "../../../routing/compact-code.ts";
import { query } from "../../address/address.ts";
import { api, callApi, type Schemas } from "../../data/calls.ts";
import { resources, useResource } from "../../data/resources.ts";

/** Content of the QR code: the short URL of a link, or any text. */

export type Link = Schemas["Link"];

/** Content of the QR code, read from the page's URL. */
export interface CodeContent {
  source: "link" | "text" | ContentType;
  /** Undefined until the link is loaded. Empty if nothing is typed. */
  content: string | undefined;
  /** Link whose short URL is encoded, or null. */
  link: Link | null;
  /** File name of downloads, without size and extension. */
  fileName: string;
  fault: unknown;
}

/** Returns the text that the code contains: the short URL of a link is compact unless the design says otherwise. */
export function encodeContent({ content = "", link }: CodeContent, { compact = true }: DesignInput): string {
  return link !== null && compact ? formatCompactUrl(link.short_url, link.short_code) : content;
}

/** Content shown in a workspace without links. */
const EXAMPLE = "https://example.com/";
const LISTED_LINKS = 100;

/**
 * Values typed into the forms of other contents, by type. They aren't kept in the page's URL, which the browser's history
 * would keep, because they can be passwords.
 */
export const typedContents = signal<Partial<Record<ContentType, Readonly<Record<string, string>>>>>({});

function readSource(parameters: URLSearchParams): CodeContent["source"] {
  const source = parameters.get("source");
  return source === "text" ? source : (CONTENT_TYPES.find((type) => type === source) ?? "link");
}

/** Reads the newest links, or the newest that match a search. */
export async function readLinkChoices(search: string): Promise<readonly Link[]> {
  const query = { limit: LISTED_LINKS, ...(search !== "" && { search }) };
  return (await callApi(api.GET("/v1/links", { params: { query } }))).data;
}

async function readContentLink(id: string | null): Promise<Link | null> {
  if (id === null) return (await readLinkChoices(""))[0] ?? null;
  return (await callApi(api.GET("/v1/links/{link_id}", { params: { path: { link_id: id } } }))).data;
}

/** Sets or removes the template of a link. */
export async function setLinkTemplate(id: string, qr_template_id: string | null): Promise<void> {
  const params = { path: { link_id: id } };
  const { data } = await callApi(api.PATCH("/v1/links/{link_id}", { params, body: { qr_template_id } }));
  resources.change<Link | null>("qr-link ", (known) => (known?.id === id ? data : known));
}

/** Returns the content that the page's URL describes: a text, a link or, without either, the newest link. */
export function useCodeContent(): CodeContent {
  const parameters = new URLSearchParams(query.value);
  const id = parameters.get("link");
  const read = useResource<Link | null>(`qr-link ${id ?? "newest"}`, () => readContentLink(id));
  const text = parameters.get("text") ?? "";
  const source = readSource(parameters);
  if (source === "text") return { source, content: text, link: null, fileName: "qr", fault: null };
  if (source !== "link") {
    const { content } = parseContent(source, typedContents.value[source] ?? {});
    const encoded = content === null ? "" : encodeStructured(content);
    return { source, content: encoded, link: null, fileName: source, fault: null };
  }
  const link = read.value;
  return {
    source: "link",
    content: link === undefined ? undefined : (link?.short_url ?? EXAMPLE),
    link: link ?? null,
    fileName: link?.short_code ?? "qr",
    fault: read.fault,
  };
}
