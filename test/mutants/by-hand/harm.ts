import { type Mutant, mutate } from "../by-hand.ts";

/**
 * Conditions that keep one workspace or visitor from harming others, and that no table of one feature contains: names
 * of others, sizes of pages, models, archives, and look-ups without a credential.
 */
export const mutants: Mutant[] = [
  ...mutate(
    "src/domains/claim-host.ts",
    "worker/safety",
    [" and not ${isKept}`", "`"],
    [" and not ${isReserved}", ""],
  ),
  ...mutate("src/domains/sweep-claims.ts", "worker/safety", [
    "${selectIsTaken()} or ${isHeld(claims.hostname, claims.workspaceId)}",
    "${selectIsTaken()}",
  ]),
  ...mutate(
    "src/tenant/held-names.ts",
    ["worker/safety", "worker/bio"],
    ["${heldNames.rule} <> 'allowed'", "true"],
    ["${heldNames.workspaceId} is not ${workspaceId}", "true"],
  ),
  ...mutate("src/bio/slug-claims.ts", "worker/bio", [
    "sql`not ${isHeld(formatSlugName(slug), workspaceId)}`",
    "sql`true`",
  ]),
  ...mutate("src/tenant/own-hosts.ts", "unit/domain-name", ["return isDisguised(label) ?", "return false ?"]),
  ...mutate("src/tenant/reserved-names.ts", "unit/domain-name", ["LABELS.has(label)", "false"]),
  ...mutate("src/db/page-bytes.ts", "unit/page-bytes", ["where earlier <= ${bytesMax})", "where true)"]),
  ...mutate("src/mcp/tool-schemas.ts", "unit/mcp", ['["password_hash", "logo_url"]', '["password_hash"]']),
  ...mutate("src/auth/verify-limited.ts", "worker/unknown-look-ups", [
    "await limit.lookUp(hash, read).catch(",
    "await read().catch(",
  ]),
  ...mutate("src/bio/public.ts", "worker/unknown-look-ups", [
    "page = await limit.lookUp(key, async () => {",
    "page = await (async (_: unknown, read: () => Promise<PublishedPage | typeof SUSPENDED | null>) => read())(limit, async () => {",
  ]),
  ...mutate(
    "src/sign-in/app-host.ts",
    "worker/unknown-look-ups",
    ['return visit.getLimit("session").lookUp(await hashSessionToken(token), read);', "return read();"],
    [
      'await visit.getLimit("sign-in").lookUp(await hashSessionToken(token), find);\n  return owner',
      "await find();\n  return owner",
    ],
    ["(await lookUpSession(visit, token, accept)) === null", "(await accept()) === null"],
  ),
  ...mutate(
    "src/limits/password-tries.ts",
    "unit/password-tries",
    ["    [tries.filter((other) => other.provider === provider), PROVIDER_MAX],\n", ""],
    ["    [ofSite, SITE_MAX],\n", ""],
  ),
  ...mutate(
    "src/backup/foreign-rows.ts",
    "worker/workspace-transfer",
    ["isShallow(parsed, DEPTH_MAX) && ", ""],
    ["return depthMax > 0 &&", "return depthMax >= 0 &&"],
    ["HEX.test(digits) && !isJson", "HEX.test(digits)"],
    ["HEX.test(digits) && !isJson", "!isJson"],
    ["return ROLES.includes(value as Role);", "return true;"],
    ["lanes.every(isLane)", "true"],
    ["if (isUuid(id) && inTrash === id) return id;", "if (inTrash === id) return id;"],
    ['deleted_series: "owner",', ""],
    ['deleted_assets: "asset_id",\n  webhooks', "webhooks"],
    ["value AND workspace_id <> ?2)`,", "value AND false)`,"],
    ["WHERE id = value AND id <> ?2)", "WHERE false)"],
  ),
  ...mutate(
    "src/backup/import-workspace.ts",
    "worker/workspace-transfer",
    ["if (!isUuid(id) || !isWorkspaceSlug(slug)) {", "if (!isUuid(id)) {"],
    ["if (!isUuid(id) || !isWorkspaceSlug(slug)) {", "if (!isWorkspaceSlug(slug)) {"],
    ["isReserved: isReservedLabel(label ??", "isReserved: false && isReservedLabel(label ??"],
    ["known.has(row.person ===", "false && known.has(row.person ==="],
    ["held_until: Math.min(", "held_until: Math.max("],
    ['new Set(["domain_claims", ', "new Set(["],
    ['email_domains: "[]"', ""],
    ["throw isRejectedRow(error) ?", "throw false && isRejectedRow(error) ?"],
  ),
  ...mutate(
    "src/backup/archive.ts",
    "node/backup",
    ["size > ENTRY_MAX_BYTES", "size >= ENTRY_MAX_BYTES"],
    ["z.string().min(1)", "z.string()"],
    ["return shape.parse(JSON.parse(text));", "return JSON.parse(text);"],
  ),
];
