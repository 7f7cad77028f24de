import { type Mutant, mutate } from "../by-hand.ts";

const BIO = "test/worker/bio.test.ts";
const DOMAIN_NAME = "test/unit/domain-name.test.ts";
const LINK_GUARDS = "test/worker/link-guards.test.ts";
const LOOK_UPS = "test/worker/unknown-look-ups.test.ts";
const PAGE_BYTES = "test/unit/page-bytes.test.ts";
const PROVIDER_SIGN_IN = "test/worker/provider-sign-in.test.ts";
const SAFETY = "test/worker/safety.test.ts";
const TRANSFER = "test/worker/workspace-transfer.test.ts";
const TRANSPORT = "test/worker/transport.test.ts";

/**
 * Conditions that keep one workspace or visitor from harming others, and that no table of one feature contains: names
 * of others, sizes of pages, plain http, models, and look-ups without a credential.
 */
export const mutants: Mutant[] = [
  ...mutate("src/app.ts", SAFETY, ["if (isRead && pathname === SECURITY_TEXT_PATH) {", "if (false) {"]),
  ...mutate(
    "src/domains/claim-host.ts",
    SAFETY,
    [" and not ${isKept}`", "`"],
    [" and not ${isReserved}", ""],
  ),
  ...mutate("src/domains/verify-domain.ts", SAFETY, ["if (isKept) throw", "if (false) throw"]),
  ...mutate("src/domains/sweep-claims.ts", SAFETY, [
    "${selectIsTaken()} or ${isHeld(claims.hostname, claims.workspaceId)}",
    "${selectIsTaken()}",
  ]),
  ...mutate(
    "src/tenant/held-names.ts",
    [SAFETY, BIO],
    ["${heldNames.rule} <> 'allowed'", "true"],
    ["${heldNames.workspaceId} is not ${workspaceId}", "true"],
  ),
  ...mutate("src/bio/slug-claims.ts", BIO, [
    "sql`not ${isHeld(formatSlugName(slug), workspaceId)}`",
    "sql`true`",
  ]),
  ...mutate(
    "src/tenant/own-hosts.ts",
    DOMAIN_NAME,
    ["return isDisguised(label) ?", "return false ?"],
    ['if (label.includes(".")) return', "if (false) return"],
  ),
  ...mutate("src/tenant/reserved-names.ts", DOMAIN_NAME, ["LABELS.has(label)", "false"]),
  ...mutate(
    "src/http/page-bytes.ts",
    PAGE_BYTES,
    ["if (bytes > PAGE_BYTES_MAX && items.length > 0) break;", ""],
    ["bytes > PAGE_BYTES_MAX && items.length > 0", "bytes > PAGE_BYTES_MAX"],
  ),
  ...mutate("src/db/page-bytes.ts", PAGE_BYTES, ["where earlier <= ${bytesMax})", "where true)"]),
  ...mutate(
    "src/limits/limiter.ts",
    "test/unit/export-lease.test.ts",
    ["running !== undefined && running.id !== id && nowMs < running.untilMs", "false"],
    [" && nowMs < running.untilMs", ""],
  ),
  ...mutate(
    "src/redirect/redirect.ts",
    [LINK_GUARDS, TRANSPORT],
    ["if (isPlainHttp(request.url, apiUrl)) {", "if (false) {"],
  ),
  ...mutate("src/app.ts", TRANSPORT, [
    "if (isSecure(request.url, settings.apiUrl)) response.headers.set",
    "if (false) response.headers.set",
  ]),
  ...mutate("src/mcp/tool-call.ts", "test/worker/mcp.test.ts", [
    "if (untrusted === undefined) {",
    "if (true) {",
  ]),
  ...mutate("src/mcp/tool-schemas.ts", "test/unit/mcp.test.ts", [
    '["password_hash", "logo_url"]',
    '["password_hash"]',
  ]),
  ...mutate("src/auth/verify-limited.ts", LOOK_UPS, [
    "await limit.lookUp(hash, read).catch(",
    "await read().catch(",
  ]),
  ...mutate("src/bio/public.ts", LOOK_UPS, [
    "page = await limit.lookUp(key, async () => {",
    "page = await (async (_: unknown, read: () => Promise<PublishedPage | typeof SUSPENDED | null>) => read())(limit, async () => {",
  ]),
  ...mutate(
    "src/sign-in/app-host.ts",
    LOOK_UPS,
    ['return visit.getLimit("session").lookUp(await hashSessionToken(token), read);', "return read();"],
    [
      'await visit.getLimit("sign-in").lookUp(await hashSessionToken(token), find);\n  return owner',
      "await find();\n  return owner",
    ],
    ["(await lookUpSession(visit, token, accept)) === null", "(await accept()) === null"],
  ),
  ...mutate(
    "src/sign-in/provider-sign-in.ts",
    PROVIDER_SIGN_IN,
    [
      "if (!(await claimState(signInStates, transaction.sessionId, requestId, TRANSACTION_MS)))",
      "if (false)",
    ],
    [
      "  await limit.reserve();\n  const reply = await finish(visit);",
      "  const reply = await finish(visit);",
    ],
  ),
  ...mutate(
    "src/limits/password-tries.ts",
    "test/unit/password-tries.test.ts",
    ["    [tries.filter((other) => other.provider === provider), PROVIDER_MAX],\n", ""],
    ["if (!this.#takeCheck(origin, nowMs))", "if (false)"],
    ["    [ofSite, SITE_MAX],\n", ""],
  ),
  ...mutate(
    "src/backup/foreign-rows.ts",
    TRANSFER,
    ["(value as number) >= 0 &&", "true &&"],
    ["(value as number) < INTEGER_END", "true"],
    ["JSON_SHAPES[name]?.safeParse(parsed).success === true", "true"],
    ["isShallow(parsed, DEPTH_MAX) && ", ""],
    ["return depthMax > 0 &&", "return depthMax >= 0 &&"],
    ["return depthMax > 0 &&", "return depthMax > 1 &&"],
    ["HEX.test(digits) && !isJson", "HEX.test(digits)"],
    ["HEX.test(digits) && !isJson", "!isJson"],
    ["return ROLES.includes(value as Role);", "return true;"],
    ["Number(row[name]) < step)", "true)"],
    ["lanes.every(isLane)", "true"],
    ['table.ownership === "delivery" || ', ""],
    [' || table.ownership === "series"', ""],
    ["if (isUuid(id) && inTrash === id) return id;", "if (isUuid(id)) return id;"],
    ["if (isUuid(id) && inTrash === id) return id;", "if (inTrash === id) return id;"],
    ['deleted_series: "owner",', ""],
    ['deleted_assets: "asset_id",\n  webhooks', "webhooks"],
    ["value AND workspace_id <> ?2)`,", "value AND false)`,"],
    ["WHERE id = value AND id <> ?2)", "WHERE false)"],
  ),
  ...mutate(
    "src/backup/import-workspace.ts",
    TRANSFER,
    ["if (!isUuid(id) || !isWorkspaceSlug(slug)) {", "if (!isUuid(id)) {"],
    ["if (!isUuid(id) || !isWorkspaceSlug(slug)) {", "if (!isWorkspaceSlug(slug)) {"],
    ["isReserved: isReservedLabel(label ??", "isReserved: false && isReservedLabel(label ??"],
    ["known.has(row.person ===", "false && known.has(row.person ==="],
    ["asset !== null && key === ownKey &&", "asset !== null &&"],
    [" && owner === this.#id) return;", ") return;"],
    ["if (!PLAN_NAMES.includes", "if (false && !PLAN_NAMES.includes"],
    ["held_until: Math.min(", "held_until: Math.max("],
    ['new Set(["domain_claims", ', "new Set(["],
    ["if (isHost || getShortLabel(this.#options.settings, hostname) !== null)", "if (isHost)"],
    ["requireValidLines(table, entry.lines, this.#id);\n      for", "for"],
    ["stage < former || ", ""],
    ["(this.#number === 0 && stage > 0)", "false"],
    ["if (this.#number === 0) throw", "if (false) throw"],
    ['email_domains: "[]"', ""],
    ["throw isRejectedRow(error) ?", "throw false && isRejectedRow(error) ?"],
  ),
  ...mutate(
    "src/backup/archive.ts",
    "test/node/backup.test.ts",
    ["size > ENTRY_MAX_BYTES", "size >= ENTRY_MAX_BYTES"],
    ["size > ENTRY_MAX_BYTES", "false"],
    ["z.string().min(1)", "z.string()"],
    ["return shape.parse(JSON.parse(text));", "return JSON.parse(text);"],
  ),
];
