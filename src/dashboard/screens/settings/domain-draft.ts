// Pure: no I/O, clock or randomness.
import type { Schemas } from "../../data/schemas.ts";
import type { FormSpec } from "../../forms/form-fields.ts";
import { DOCUMENTS, formatDocument, parseDocument, type WellKnownDocument } from "./well-known.ts";

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

/** Fields of the form. */
export const DOMAIN_FORM: FormSpec<DomainDraft, DomainChange> = {
  fields: {
    root_url: writeUrl("root_url"),
    not_found_url: writeUrl("not_found_url"),
    expired_url: writeUrl("expired_url"),
    apple_app_site_association: writeDocument("apple_app_site_association", "object"),
    assetlinks: writeDocument("assetlinks", "array"),
  },
  check: (draft) => {
    const faults = DOCUMENTS.map(({ field, shape }) => [field, parseDocument(draft[field], shape).fault]);
    return Object.fromEntries(faults.filter(([, fault]) => fault !== null));
  },
};

function writeUrl(name: keyof DomainDraft) {
  return (draft: DomainDraft): DomainChange => ({ [name]: draft[name].trim() || null });
}

/** Writes the JSON of a document, or its text while that is invalid, so that it counts as a change. */
function writeDocument(name: WellKnownDocument["field"], shape: WellKnownDocument["shape"]) {
  return (draft: DomainDraft): DomainChange => {
    const { value, fault } = parseDocument(draft[name], shape);
    return { [name]: fault === null ? value : draft[name] };
  };
}
