// Pure: no I/O, clock or randomness.
import type { Schemas } from "../../data/schemas.ts";
import { DOCUMENTS, formatDocument, parseDocument } from "./well-known.ts";

/** Form state of a domain's settings. */
export interface DomainDraft {
  root_url: string;
  not_found_url: string;
  expired_url: string;
  apple_app_site_association: string;
  assetlinks: string;
}

/** Redirect URLs of a domain, with their purpose. */
export const ADDRESSES = [
  {
    field: "root_url",
    label: "Root page",
    hint: "Where visitors go when they open the domain without a short code.",
  },
  {
    field: "not_found_url",
    label: "Unknown links",
    hint: "Where visitors go when a short code doesn't exist.",
  },
  {
    field: "expired_url",
    label: "Expired links",
    hint: "Where visitors go when a link has expired or is disabled.",
  },
] as const satisfies { field: keyof DomainDraft; label: string; hint: string }[];

/** Request body of a change. */
export type DomainChange = Partial<Record<keyof DomainDraft, unknown>>;
export type DomainFaults = Partial<Record<keyof DomainDraft, string>>;

/** Returns the form state of a domain. */
export function toDomainDraft(domain: Schemas["Domain"]): DomainDraft {
  return {
    root_url: domain.root_url ?? "",
    not_found_url: domain.not_found_url ?? "",
    expired_url: domain.expired_url ?? "",
    apple_app_site_association: formatDocument(domain.apple_app_site_association),
    assetlinks: formatDocument(domain.assetlinks),
  };
}

/** Returns the request body that changes one form state into another, and the errors of invalid fields. */
export function diffDomain(
  before: DomainDraft,
  after: DomainDraft,
): { change: DomainChange; faults: DomainFaults } {
  const change: DomainChange = {};
  const faults: DomainFaults = {};
  for (const { field } of ADDRESSES) {
    if (before[field] !== after[field]) change[field] = after[field].trim() || null;
  }
  for (const { field, shape } of DOCUMENTS) {
    if (before[field] === after[field]) continue;
    const { value, fault } = parseDocument(after[field], shape);
    if (fault === null) change[field] = value;
    else faults[field] = fault;
  }
  return { change, faults };
}

/** Assigns the errors of a response to form fields. */
export function placeDomainFaults(
  fields: Readonly<Record<string, string>>,
  draft: DomainDraft,
): DomainFaults {
  const faults: DomainFaults = {};
  for (const [path, text] of Object.entries(fields)) {
    const name = path.split(/[.[]/, 1)[0] ?? "";
    if (Object.hasOwn(draft, name)) faults[name as keyof DomainDraft] ??= text;
  }
  return faults;
}
