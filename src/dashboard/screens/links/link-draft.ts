// Pure: no I/O, clock or randomness.
import type { FormSpec } from "../../forms/form-fields.ts";
import {
  addScheme,
  type RuleBody,
  type RuleDraft,
  toNumber,
  toRuleBody,
  toRuleDrafts,
} from "./rules/rule-draft.ts";
import { findRuleFaults } from "./rules/rule-faults.ts";

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
  confirm: boolean;
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
  confirm: boolean;
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
  confirm: false,
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
    confirm: link.confirm,
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
  confirm?: boolean;
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

/** Fields of the form. */
export const LINK_FORM: FormSpec<LinkDraft, LinkChange> = {
  fields: {
    destination: ({ destination }) => ({ url: addScheme(destination.trim()) }),
    slug: ({ slug }) => ({ custom_slug: slug.trim() }),
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
    confirm: ({ confirm }) => ({ confirm }),
    enabled: ({ enabled }) => ({ enabled }),
    archived: ({ archived }) => ({ archived }),
    rules: ({ rules }) => ({ routing_rules: rules.map(toRuleBody) }),
    previewTitle: writePreview,
    previewDescription: writePreview,
    previewImage: writePreview,
  },
  places: {
    destination: "destination",
    "preview.description": "previewDescription",
    "preview.image_url": "previewImage",
  },
  check: ({ rules }) => findRuleFaults(rules),
};

function toNullable(text: string): string | null {
  return text.trim() === "" ? null : text;
}
