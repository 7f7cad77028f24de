// Pure: no I/O, clock or randomness.
import type { Schemas } from "../../data/schemas.ts";

/** Scopes of API keys, as offered in the form. */

/** Scope that includes all others. */
export const ALL_SCOPES = "*";

export type Scope = Exclude<Schemas["NewKey"]["scopes"][number], typeof ALL_SCOPES>;

/** Scopes by group, with what each of them allows. The order is the display order. */
const ALLOWED: Readonly<Record<string, Partial<Record<Scope, string>>>> = {
  Links: {
    "links:read": "View links and their history",
    "links:write": "Create, change and delete links",
  },
  "QR codes": {
    "qr:render": "Render QR codes",
    "qr:read": "View templates",
    "qr:write": "Change templates",
  },
  Analytics: { "analytics:read": "View scans and page visits" },
  "Shared reports": {
    "reports:read": "View reports and their URLs",
    "reports:write": "Share and revoke reports",
  },
  "Bio pages": { "bio:read": "View pages", "bio:write": "Change and publish pages" },
  Assets: { "assets:read": "View files", "assets:write": "Upload and publish files" },
  Webhooks: {
    "webhooks:read": "View endpoints and deliveries",
    "webhooks:write": "Change endpoints and resend deliveries",
  },
  Workspace: {
    "workspace:read": "View usage, members and domains",
    "domains:write": "Add and remove domains",
    "audit:read": "View the audit log",
  },
};

/** Scopes for one kind of resource. */
export interface ScopeGroup {
  title: string;
  scopes: readonly { scope: Scope; text: string }[];
}

export const SCOPE_GROUPS: readonly ScopeGroup[] = Object.entries(ALLOWED).map(([title, texts]) => ({
  title,
  scopes: Object.entries(texts).map(([scope, text]) => ({ scope: scope as Scope, text })),
}));

const SCOPES: readonly Scope[] = SCOPE_GROUPS.flatMap(({ scopes }) => scopes.map(({ scope }) => scope));

/** Predefined sets of scopes. With `custom`, the user chooses. */
export const PRESETS = ["full", "read", "ci", "custom"] as const;
export type Preset = (typeof PRESETS)[number];

/** Scopes for a CI job that applies links from a file and renders their QR codes. */
const CI_SCOPES: readonly Scope[] = ["links:read", "links:write", "qr:render", "workspace:read"];

/** Returns the scopes of a preset in display order. For `custom`, these are the given scopes. */
export function listPresetScopes(preset: Preset, custom: readonly string[]): string[] {
  if (preset === "full") return [ALL_SCOPES];
  if (preset === "read") return SCOPES.filter((scope) => scope.endsWith(":read") || scope === "qr:render");
  if (preset === "ci") return SCOPES.filter((scope) => CI_SCOPES.includes(scope));
  return SCOPES.filter((scope) => custom.includes(scope));
}

/** Summarises the scopes of a key. */
export function describeScopes(scopes: readonly string[]): string {
  if (scopes.includes(ALL_SCOPES)) return "Full access";
  const isSame = (preset: Preset) => String(listPresetScopes(preset, [])) === String(sortScopes(scopes));
  if (isSame("read")) return "Read only";
  return sortScopes(scopes).join(", ");
}

function sortScopes(scopes: readonly string[]): string[] {
  return SCOPES.filter((scope) => scopes.includes(scope));
}
