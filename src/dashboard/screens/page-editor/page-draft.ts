// Pure: no I/O, clock or randomness.
import { applyMergePatch } from "../../../bio/merge-patch.ts";
import type { ContentLink, PageContent } from "../../../bio/page-content.ts";
import type { Faults } from "../../forms/form-fields.ts";
import { completeAddress, completeProfile } from "./page-address.ts";

/** Form state of a bio page, and the request body that saves its changes. */

/** JSON of a page's content. It may contain fields that this dashboard doesn't support; they are kept. */
type Json = Readonly<Record<string, unknown>>;

/** Fields of a page that the editor changes. */
export interface EditablePage {
  title: string;
  description: string;
  page_data: Json;
}

/** Link or heading in the form. Its `key` stays the same when it is moved. */
export interface Block extends ContentLink {
  key: string;
}

/** Social profile in the form. */
export interface Social {
  key: string;
  network: string;
  url: string;
}

/** Content without links and social profiles, which are separate lists in the form. */
export type DraftData = Omit<PageContent, "links" | "socials"> & Json;

/** Form state of a page. Texts are as typed. An empty string means that the page doesn't have the field. */
export interface PageDraft {
  title: string;
  description: string;
  data: DraftData;
  blocks: readonly Block[];
  socials: readonly Social[];
}

/** Returns the form state of a page. Keys derive from the list index, so they are the same after a save. */
export function toDraft({ title, description, page_data: data }: EditablePage): PageDraft {
  const { links = [], socials = [], ...others } = data as PageContent & Json;
  return {
    title,
    description,
    data: others,
    blocks: links.map((link, index) => ({ ...link, key: `b${index}` })),
    socials: socials.map((social, index) => ({ ...social, key: `s${index}` })),
  };
}

/** Returns the page content of a form. */
export function toPageData({ data, blocks, socials }: PageDraft): PageContent & Json {
  return {
    ...dropEmpty({ ...data, avatar_url: completeAddress(data.avatar_url ?? "") }),
    ...(blocks.length > 0 && { links: blocks.map(toLink) }),
    ...(socials.length > 0 && { socials: socials.map(toSocial) }),
  };
}

/**
 * Link fields that are left out if they are empty. An empty label is sent, because a missing label would
 * cause a different error.
 */
const OPTIONAL_TEXTS: readonly string[] = ["url", "starts_at", "ends_at"];

function toLink({ key: _, ...link }: Block): ContentLink {
  const url = link.type === "heading" ? undefined : completeAddress(link.url ?? "");
  const entries = Object.entries({ ...link, url }).filter(
    ([name, value]) => value !== undefined && !(value === "" && OPTIONAL_TEXTS.includes(name)),
  );
  return Object.fromEntries(entries) as unknown as ContentLink;
}

function toSocial({ key: _, ...social }: Social): { network: string; url: string } {
  return { ...social, url: completeProfile(social.network, social.url) };
}

/** Removes fields that are undefined or an empty string, also from nested objects. */
function dropEmpty<Value extends object>(value: Value): Value {
  const entries = Object.entries(value).filter(([, member]) => member !== undefined && member !== "");
  return Object.fromEntries(
    entries.map(([name, member]) => [name, isObject(member) ? dropEmpty(member) : member]),
  ) as Value;
}

/** Request body of a change. It contains only what differs. */
export interface PageChange {
  title?: string;
  description?: string;
  page_data_patch?: Record<string, unknown>;
}

/** Returns the request body that changes one form state into another. It is empty if nothing differs. */
export function diffPages(before: PageDraft, after: PageDraft): PageChange {
  const patch = buildMergePatch(toPageData(before), toPageData(after));
  return {
    ...(after.title !== before.title && { title: after.title }),
    ...(after.description !== before.description && { description: after.description }),
    ...(Object.keys(patch).length > 0 && { page_data_patch: patch }),
  };
}

/** Returns true if a request body contains any changes. */
export function isChange(change: PageChange): boolean {
  return Object.keys(change).length > 0;
}

/** Builds the JSON Merge Patch (RFC 7396) between two objects, which keeps concurrent changes by others. */
export function buildMergePatch(before: Json, after: Json): Record<string, unknown> {
  const patch: Record<string, unknown> = {};
  for (const name of Object.keys(before)) if (!Object.hasOwn(after, name)) patch[name] = null;
  for (const [name, value] of Object.entries(after)) {
    const former = before[name];
    if (isEqual(former, value)) continue;
    patch[name] = isObject(former) && isObject(value) ? buildMergePatch(former, value) : value;
  }
  return patch;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Compares JSON values. The order of object members is ignored. */
function isEqual(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => isEqual(item, other[index]));
  }
  if (!isObject(one) || !isObject(other)) return one === other;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isEqual(one[name], other[name]))
  );
}

/**
 * Assigns the errors of a response to form fields: `title`, `style.text`, or `b3.url` for the block with the key `b3`,
 * instead of its index.
 */
export function placeFaults(fields: Faults, draft: PageDraft): Faults {
  const lists: Record<string, readonly { key: string }[]> = { links: draft.blocks, socials: draft.socials };
  const faults: Record<string, string> = {};
  for (const [path, text] of Object.entries(fields)) {
    const field = path.replace(/^page_data(?:_patch)?\./, "");
    const [, list = "", index = "", member = ""] = /^(links|socials)\[(\d+)\](?:\.(.*))?$/.exec(field) ?? [];
    const item = lists[list]?.[Number(index)];
    faults[item === undefined ? field : `${item.key}.${member}`] ??= text;
  }
  return faults;
}

/**
 * Returns the form state after a save: the stored page, which may include changes by others, with everything
 * that the user typed since the request was sent.
 */
export function rebaseDraft(saved: EditablePage, sent: PageDraft, current: PageDraft): PageDraft {
  const { title = saved.title, description = saved.description, page_data_patch } = diffPages(sent, current);
  const data = applyMergePatch(saved.page_data, page_data_patch ?? {}) as Json;
  const draft = toDraft({ title, description, page_data: data });
  return {
    ...draft,
    blocks: keepKeys(draft.blocks, current.blocks),
    socials: keepKeys(draft.socials, current.socials),
  };
}

/**
 * Gives items the keys of the items at the same index, so that the open block stays open. If the lengths
 * differ, the new keys are kept.
 */
function keepKeys<Item extends { key: string }>(items: readonly Item[], former: readonly Item[]): Item[] {
  if (items.length !== former.length) return [...items];
  return items.map((item, index) => ({ ...item, key: former[index]?.key ?? item.key }));
}
