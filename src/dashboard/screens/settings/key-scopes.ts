import type { Schemas } from "../../data/schemas.ts";

/** Scopes of API keys, as people choose them. */

/** Scope that includes every other one. */
export const ALL_SCOPES = "*";

export type Scope = Exclude<Schemas["NewKey"]["scopes"][number], typeof ALL_SCOPES>;

/** Access to one kind of resource. */
export interface ScopeGroup {
  title: string;
  scopes: readonly { scope: Scope; text: string }[];
}

export const SCOPE_GROUPS: readonly ScopeGroup[] = [
  {
    title: "Links",
    scopes: [
      { scope: "links:read", text: "See links and their history" },
      { scope: "links:write", text: "Create, change and delete links" },
    ],
  },
  {
    title: "QR codes",
    scopes: [
      { scope: "qr:render", text: "Render codes" },
      { scope: "qr:read", text: "See templates" },
      { scope: "qr:write", text: "Change templates" },
    ],
  },
  { title: "Analytics", scopes: [{ scope: "analytics:read", text: "See scans and visits" }] },
  {
    title: "Bio pages",
    scopes: [
      { scope: "bio:read", text: "See pages" },
      { scope: "bio:write", text: "Change and publish pages" },
    ],
  },
  {
    title: "Assets",
    scopes: [
      { scope: "assets:read", text: "See files" },
      { scope: "assets:write", text: "Upload and publish files" },
    ],
  },
  {
    title: "Webhooks",
    scopes: [
      { scope: "webhooks:read", text: "See endpoints and deliveries" },
      { scope: "webhooks:write", text: "Change endpoints, send again" },
    ],
  },
  {
    title: "Workspace",
    scopes: [
      { scope: "workspace:read", text: "See usage, people and domains" },
      { scope: "domains:write", text: "Add and remove domains" },
      { scope: "audit:read", text: "See who changed what" },
    ],
  },
];

/** All scopes, in the order of the choice. */
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
