/** What somebody types about a link, and the bodies that follow from it. */

/** Parts of a link that the form shows. */
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
}

/** Form of a link. Texts are as they were typed; times are of the browser's time zone. */
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
  /** Null keeps the password, an empty text removes it. */
  password: string | null;
  forwardQuery: boolean;
  enabled: boolean;
}

/** Form of a new link. */
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
};

/** Returns the form of an existing link. */
export function toDraft(link: EditableLink): LinkDraft {
  return {
    destination: link.destination,
    slug: link.short_code,
    title: link.title ?? "",
    note: link.note ?? "",
    labels: link.labels,
    startsAt: toLocalTime(link.starts_at),
    earlyUrl: link.early_url ?? "",
    expiresAt: toLocalTime(link.expires_at),
    expiredUrl: link.expired_url ?? "",
    maxScans: link.max_scans === null ? "" : String(link.max_scans),
    password: null,
    forwardQuery: link.forward_query,
    enabled: link.enabled,
  };
}

/** Body of a change: only the fields that differ. */
export interface LinkChange {
  url?: string;
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
}

/** Writes the fields of a body in which two drafts differ. */
const WRITERS: { [Name in Exclude<keyof LinkDraft, "slug">]: (draft: LinkDraft) => LinkChange } = {
  destination: ({ destination }) => ({ url: addScheme(destination.trim()) }),
  title: ({ title }) => ({ title: toNullable(title) }),
  note: ({ note }) => ({ note: toNullable(note) }),
  labels: ({ labels }) => ({ labels }),
  startsAt: ({ startsAt }) => ({ starts_at: toIsoTime(startsAt) }),
  earlyUrl: ({ earlyUrl }) => ({ early_url: toNullable(addScheme(earlyUrl.trim())) }),
  expiresAt: ({ expiresAt }) => ({ expires_at: toIsoTime(expiresAt) }),
  expiredUrl: ({ expiredUrl }) => ({ expired_url: toNullable(addScheme(expiredUrl.trim())) }),
  // The service says what is wrong with a number that is none.
  maxScans: ({ maxScans }) => ({ max_scans: maxScans.trim() === "" ? null : Number(maxScans) }),
  password: ({ password }) => (password === null ? {} : { password: toNullable(password) }),
  forwardQuery: ({ forwardQuery }) => ({ forward_query: forwardQuery }),
  enabled: ({ enabled }) => ({ enabled }),
};

/** Returns the change that leads from one draft to another. It is empty if nothing differs. */
export function diffDrafts(before: LinkDraft, after: LinkDraft): LinkChange {
  const names = Object.keys(WRITERS) as (keyof typeof WRITERS)[];
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return Object.assign({}, ...changed.map((name) => WRITERS[name](after)));
}

/** Fields of the body, by the name of the field of the form that shows their fault. */
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
};

/** Faults of the form, by its fields. */
export type DraftFaults = Partial<Record<keyof LinkDraft, string>>;

/** Returns the faults of a response at the fields of the form: those of `labels[0]` at the labels. */
export function placeFaults(fields: Readonly<Record<string, string>>): DraftFaults {
  const faults: DraftFaults = {};
  for (const [path, text] of Object.entries(fields)) {
    const name = FIELD_OF_BODY[path.split(/[.[]/, 1)[0] ?? ""];
    if (name !== undefined) faults[name] ??= text;
  }
  return faults;
}

/** Adds the scheme that people leave out. */
function addScheme(address: string): string {
  const isBare = /^[^\s/:?#]+\.[^\s/:?#]+(?:[/?#:]|$)/.test(address);
  return isBare ? `https://${address}` : address;
}

function toNullable(text: string): string | null {
  return text.trim() === "" ? null : text;
}

/** Returns the value of a `datetime-local` field for a time, in the time zone of this machine. */
export function toLocalTime(iso: string | null): string {
  if (iso === null) return "";
  const date = new Date(iso);
  const pad = (value: number) => String(value).padStart(2, "0");
  const day = `${String(date.getFullYear()).padStart(4, "0")}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
  return `${day}T${pad(date.getHours())}:${pad(date.getMinutes())}`;
}

/** Returns the time of a `datetime-local` field. */
export function toIsoTime(local: string): string | null {
  if (local === "") return null;
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? local : date.toISOString();
}
