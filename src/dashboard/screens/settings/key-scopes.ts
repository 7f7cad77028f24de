import type { Schemas } from "../../data/schemas.ts";

/** Scopes of API keys, as people choose them. */

/** Scope that includes every other one. */
export const ALL_SCOPES = "*";

export type Scope = Exclude<Schemas["NewKey"]["scopes"][number], typeof ALL_SCOPES>;

/** Scopes by kind of resource, with what each of them allows. All scopes are in the order of the choice. */
const ALLOWED: Readonly<Record<string, Partial<Record<Scope, string>>>> = {
  Links: {
    "links:read": "See links and their history",
    "links:write": "Create, change and delete links",
  },
  "QR codes": {
    "qr:render": "Render codes",
    "qr:read": "See templates",
    "qr:write": "Change templates",
  },
  Analytics: { "analytics:read": "See scans and visits" },
  "Bio pages": { "bio:read": "See pages", "bio:write": "Change and publish pages" },
  Assets: { "assets:read": "See files", "assets:write": "Upload and publish files" },
  Webhooks: {
    "webhooks:read": "See endpoints and deliveries",
    "webhooks:write": "Change endpoints, send again",
  },
  Workspace: {
    "workspace:read": "See usage, people and domains",
    "domains:write": "Add and remove domains",
    "audit:read": "See who changed what",
  },
};

/** Access to one kind of resource. */
export interface ScopeGroup {
  title: string;
  scopes: readonly { scope: Scope; text: string }[];
}

export const SCOPE_GROUPS: readonly ScopeGroup[] = Object.entries(ALLOWED).map(([title, texts]) => ({
  title,
  scopes: Object.entries(texts).map(([scope, text]) => ({ scope: scope as Scope, text })),
}));

const SCOPES: readonly Scope[] = SCOPE_GROUPS.flatMap(({ scopes }) => scopes.map(({ scope }) => scope));

/** Choices of scopes that fit most keys. */
export const PRESETS = ["full", "read", "ci", "custom"] as const;
export type Preset = (typeof PRESETS)[number];

/** Scopes of a program that applies links from a file, and renders their codes. */
const CI_SCOPES: readonly Scope[] = ["links:read", "links:write", "qr:render", "workspace:read"];

/** Returns the scopes of a preset, in the order of the choice. Those of `custom` are given. */
export function listPresetScopes(preset: Preset, custom: readonly string[]): string[] {
  if (preset === "full") return [ALL_SCOPES];
  if (preset === "read") return SCOPES.filter((scope) => scope.endsWith(":read") || scope === "qr:render");
  if (preset === "ci") return SCOPES.filter((scope) => CI_SCOPES.includes(scope));
  return SCOPES.filter((scope) => custom.includes(scope));
}

/** Describes the scopes of a key in a few words. */
export function describeScopes(scopes: readonly string[]): string {
  if (scopes.includes(ALL_SCOPES)) return "Everything";
  const isSame = (preset: Preset) => String(listPresetScopes(preset, [])) === String(sortScopes(scopes));
  if (isSame("read")) return "Read only";
  return sortScopes(scopes).join(", ");
}

function sortScopes(scopes: readonly string[]): string[] {
  return SCOPES.filter((scope) => scopes.includes(scope));
}
