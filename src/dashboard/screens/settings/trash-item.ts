// Pure: no I/O, clock or randomness.
import type { Schemas } from "../../data/schemas.ts";

/** Types of items in the trash, in display order. */
export const TRASH_TYPES = [
  { value: "links", label: "Links" },
  { value: "pages", label: "Bio pages" },
  { value: "templates", label: "QR templates" },
] as const;

export type TrashType = (typeof TRASH_TYPES)[number]["value"];

/** Deleted link, bio page or QR template. */
export interface TrashItem {
  id: string;
  name: string;
  /** Text below the name. */
  detail: string;
  deletedAt: string;
  eraseAt: string;
}

/** Body of a response with an item in the trash. */
type Deleted = { id: string; deleted_at?: string; erase_at?: string };

/** Returns the type in the query of the URL. Unknown types show the first one. */
export function readTrashType(query: string): TrashType {
  const type = new URLSearchParams(query).get("type");
  return TRASH_TYPES.find(({ value }) => value === type)?.value ?? TRASH_TYPES[0].value;
}

function toItem({ id, deleted_at = "", erase_at = "" }: Deleted, name: string, detail: string): TrashItem {
  return { id, name, detail, deletedAt: deleted_at, eraseAt: erase_at };
}

export function toLinkItem(link: Schemas["Link"]): TrashItem {
  return toItem(link, `/${link.short_code}`, link.title ?? link.destination);
}

export function toPageItem(page: Schemas["BioPage"]): TrashItem {
  return toItem(page, page.title, `/${page.slug}`);
}

export function toTemplateItem(template: Schemas["QrTemplate"]): TrashItem {
  return toItem(template, template.name, template.description);
}
