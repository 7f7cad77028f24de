// Pure: no I/O, clock or randomness.
import {
  addScheme,
  type RuleBody,
  type RuleDraft,
  toNumber,
  toRuleBody,
  toRuleDrafts,
} from "./rules/rule-draft.ts";

/** Form state of a link, and its conversion from and to request bodies. */

/** Title, description and image that chats and social networks show for a link. */
interface Preview {
  title: string | null;
  description: string | null;
  image_url: string | null;
}

/** Fields of a link that the form shows. */
export interface EditableLink {
  destination: string;
  short_code: string;
  title: string | null;
  note: string | null;
  labels: string[];
  starts_at: string | null;
  early_url: string | null;
  expires_at: string | null;
  expired_url: string | null;
  max_scans: number | null;
  forward_query: boolean;
  has_password: boolean;
  enabled: boolean;
  archived: boolean;
  routing_rules: readonly RuleBody[];
  preview: Preview | null;
}

/** Form state of a link. Texts are as typed; times are ISO 8601 or an empty string. */
export interface LinkDraft {
  destination: string;
  slug: string;
  title: string;
  note: string;
  labels: string[];
  startsAt: string;
  earlyUrl: string;
  expiresAt: string;
  expiredUrl: string;
  maxScans: string;
  /** Null keeps the password, an empty string removes it. */
  password: string | null;
  forwardQuery: boolean;
  enabled: boolean;
  archived: boolean;
  rules: readonly RuleDraft[];
  previewTitle: string;
  previewDescription: string;
  previewImage: string;
}

/** Form state of a new link. */
export const EMPTY_DRAFT: LinkDraft = {
  destination: "",
  slug: "",
  title: "",
  note: "",
  labels: [],
  startsAt: "",
  earlyUrl: "",
  expiresAt: "",
  expiredUrl: "",
  maxScans: "",
  password: null,
  forwardQuery: false,
  enabled: true,
  archived: false,
  rules: [],
  previewTitle: "",
  previewDescription: "",
  previewImage: "",
};

/** Returns the form state of an existing link. */
export function toDraft(link: EditableLink): LinkDraft {
  return {
    destination: link.destination,
    slug: link.short_code,
    title: link.title ?? "",
    note: link.note ?? "",
    labels: link.labels,
    startsAt: link.starts_at ?? "",
    earlyUrl: link.early_url ?? "",
    expiresAt: link.expires_at ?? "",
    expiredUrl: link.expired_url ?? "",
    maxScans: link.max_scans === null ? "" : String(link.max_scans),
    password: null,
    forwardQuery: link.forward_query,
    enabled: link.enabled,
    archived: link.archived,
    rules: toRuleDrafts(link.routing_rules),
    previewTitle: link.preview?.title ?? "",
    previewDescription: link.preview?.description ?? "",
    previewImage: link.preview?.image_url ?? "",
  };
}

/** Request body of a change. It contains only the fields that differ. */
export interface LinkChange {
  url?: string;
  custom_slug?: string;
  title?: string | null;
  note?: string | null;
  labels?: string[];
  starts_at?: string | null;
  early_url?: string | null;
  expires_at?: string | null;
  expired_url?: string | null;
  max_scans?: number | null;
  password?: string | null;
  forward_query?: boolean;
  enabled?: boolean;
  archived?: boolean;
  routing_rules?: RuleBody[];
  preview?: Preview | null;
}

/**
 * Returns the preview for the request body. If all fields are empty, the preview is removed. An empty title
 * with other fields is sent as it is, and the API returns an error for it.
 */
function writePreview({ previewTitle, previewDescription, previewImage }: LinkDraft): LinkChange {
  const description = toNullable(previewDescription);
  const image_url = toNullable(addScheme(previewImage.trim()));
  if (previewTitle.trim() === "" && description === null && image_url === null) return { preview: null };
  return { preview: { title: previewTitle, description, image_url } };
}

/** Converts each form field to fields of the request body, which are sent if their values have changed. */
const WRITERS: { [Name in Exclude<keyof LinkDraft, "slug">]: (draft: LinkDraft) => LinkChange } = {
  destination: ({ destination }) => ({ url: addScheme(destination.trim()) }),
  title: ({ title }) => ({ title: toNullable(title) }),
  note: ({ note }) => ({ note: toNullable(note) }),
  labels: ({ labels }) => ({ labels }),
  startsAt: ({ startsAt }) => ({ starts_at: toNullable(startsAt) }),
  earlyUrl: ({ earlyUrl }) => ({ early_url: toNullable(addScheme(earlyUrl.trim())) }),
  expiresAt: ({ expiresAt }) => ({ expires_at: toNullable(expiresAt) }),
  expiredUrl: ({ expiredUrl }) => ({ expired_url: toNullable(addScheme(expiredUrl.trim())) }),
  maxScans: ({ maxScans }) => ({ max_scans: maxScans.trim() === "" ? null : toNumber(maxScans) }),
  password: ({ password }) => (password === null ? {} : { password: toNullable(password) }),
  forwardQuery: ({ forwardQuery }) => ({ forward_query: forwardQuery }),
  enabled: ({ enabled }) => ({ enabled }),
  archived: ({ archived }) => ({ archived }),
  rules: ({ rules }) => ({ routing_rules: rules.map(toRuleBody) }),
  previewTitle: writePreview,
  previewDescription: writePreview,
  previewImage: writePreview,
};

const NAMES = Object.keys(WRITERS) as (keyof typeof WRITERS)[];

/** Lists the fields whose request values differ between two drafts. */
function listChanged(before: LinkDraft, after: LinkDraft): typeof NAMES {
  const write = (name: (typeof NAMES)[number], draft: LinkDraft) => JSON.stringify(WRITERS[name](draft));
  return NAMES.filter((name) => write(name, before) !== write(name, after));
}

/** Returns the request body that changes one draft into another. It is empty if nothing differs. */
export function diffDrafts(before: LinkDraft, after: LinkDraft): LinkChange {
  return Object.assign({}, ...listChanged(before, after).map((name) => WRITERS[name](after)));
}

/** Updates a draft after the link was changed elsewhere. Edited fields keep their values. */
export function rebaseDraft(before: LinkDraft, typed: LinkDraft, stored: LinkDraft): LinkDraft {
  const kept = listChanged(before, typed).map((name) => [name, typed[name]]);
  return { ...stored, ...Object.fromEntries(kept) };
}

/** Maps fields of the request body to the form fields that show their errors. */
export const FIELD_OF_BODY: Readonly<Record<string, keyof LinkDraft>> = {
  url: "destination",
  destination: "destination",
  custom_slug: "slug",
  title: "title",
  note: "note",
  labels: "labels",
  starts_at: "startsAt",
  early_url: "earlyUrl",
  expires_at: "expiresAt",
  expired_url: "expiredUrl",
  max_scans: "maxScans",
  password: "password",
  forward_query: "forwardQuery",
  enabled: "enabled",
  archived: "archived",
  routing_rules: "rules",
  preview: "previewTitle",
  "preview.title": "previewTitle",
  "preview.description": "previewDescription",
  "preview.image_url": "previewImage",
};

/** Errors by form field. */
export type DraftFaults = Partial<Record<keyof LinkDraft, string>>;

/**
 * Assigns the errors of a response to form fields. An error of an element, such as `labels[0]`, goes to the
 * field of its list. Errors of single rules are also shown next to their rule, see `placeRuleFaults`.
 */
export function placeFaults(fields: Readonly<Record<string, string>>): DraftFaults {
  const faults: DraftFaults = {};
  for (const [path, text] of Object.entries(fields)) {
    const name = FIELD_OF_BODY[path] ?? FIELD_OF_BODY[path.split(/[.[]/, 1)[0] ?? ""];
    if (name !== undefined) faults[name] ??= text;
  }
  return faults;
}

function toNullable(text: string): string | null {
  return text.trim() === "" ? null : text;
}
