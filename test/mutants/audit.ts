import { type Mutant, mutate } from "./tool/mutant.ts";

const LOG = "test/worker/audit.test.ts";

export const mutants: Mutant[] = [
  ...mutate(
    "src/audit/describe-changes.ts",
    LOG,
    ["VALUE_MAX_BYTES = 16_384", "VALUE_MAX_BYTES = 32_768"],
    ["where changes <> '{}'`", "where true`"],
    [" is not field.value -> 2 or field.value ->> 3)`", " is not field.value -> 2)`"],
    // Removing a password would also show it as replaced.
    ["and ${column} <> ${after}`", "and ${column} is not ${after}`"],
    ['HIDDEN = "…"', 'HIDDEN = "***"'],
    ["%H:%M:%fZ", "%H:%M:%SZ"],
    ["iif(${value}, 'true', 'false')", "iif(${value}, 'false', 'true')"],
    ["is null, 'false', 'true')", "is null, 'true', 'false')"],
    ["bytes > VALUE_MAX_BYTES ?", "bytes < VALUE_MAX_BYTES ?"],
    [", ${column} is not ${after})`", ", false)`"],
  ),
  ...mutate(
    "src/audit/insert-entries.ts",
    LOG,
    ["CLOCK_SKEW_MAX_MS = MINUTE_MS", "CLOCK_SKEW_MAX_MS = 10_000 * MINUTE_MS"],
    ["CLOCK_SKEW_MAX_MS = MINUTE_MS", "CLOCK_SKEW_MAX_MS = 0"],
    ["coalesce((${last}), 0) + 1)", "0)"],
    ["isRepeatable && origin.isRetry", "false"],
    ["order by change.resource_id)", "order by change.resource_id desc)"],
    ["actorName: actor.name", "actorName: actor.id"],
  ),
  ...mutate(
    "src/audit/find-entries.ts",
    LOG,
    ["undefined : eq(log.resourceId, resource)", "undefined : undefined"],
    ["undefined : eq(log.actorId, actor)", "undefined : undefined"],
    ["undefined : eq(log.operation, operation)", "undefined : undefined"],
    ["undefined : gte(log.id, formatLimit(from))", "undefined : undefined"],
    ["undefined : lt(log.id, formatLimit(to))", "undefined : undefined"],
    ["resource_type && eq(log.resourceType, resource_type)", "undefined"],
  ),
  ...mutate(
    "src/audit/find-entries.ts",
    "test/worker/lists.test.ts",
    ["EXAMINED_MAX = 700", "EXAMINED_MAX = 4_000"],
    ["sql`+${log.workspaceId} = ${workspaceId}`", "eq(log.workspaceId, workspaceId)"],
    [".limit(limit + 1)", ".limit(limit)"],
  ),
  ...mutate(
    "src/audit/list-entries.ts",
    LOG,
    ["id >= reachedId", "id > reachedId"],
    ["reachedIds.at(-1)", "reachedIds.at(0)"],
    ["(one.id < other.id ? 1 : -1)", "(one.id < other.id ? -1 : 1)"],
    ["merged.length > limit ?", "merged.length >= limit ?"],
    ["before !== undefined || reachedId", "reachedId"],
  ),
  ...mutate(
    "src/audit/sweep-log.ts",
    LOG,
    ["KEPT_MS = 365 * DAY_MS", "KEPT_MS = 364 * DAY_MS"],
    ["nowMs - KEPT_MS", "nowMs"],
    ["and not ${isLeftAlone} ", ""],
  ),
  ...mutate(
    "src/links/link-history.ts",
    LOG,
    ["short_code !== undefined", "short_code === undefined"],
    ["has_password?.[0] === false", "has_password?.[0] === true"],
    ["password !== undefined || has_password?.[0] === true", "password !== undefined"],
    ['resource_type: "link", ', ""],
    ["!hasEntries && existing", "existing"],
    [" || page.before !== undefined", ""],
  ),
  ...mutate(
    "src/audit/shard-log.ts",
    LOG,
    [", eq(auditLog.resourceId, resourceId))", ")"],
    [
      "sweepLog(db, auditLog, { table: tenants, isLeftAlone: isResting(tenants.id) }, nowMs)",
      "Promise.resolve()",
    ],
  ),
  ...mutate(
    "src/cli/audit-statements.ts",
    "test/node/cli-audit.test.ts",
    ["`json_array(${value}, NULL)`", "`json_array(NULL, ${value})`"],
    ['id: "admin"', 'id: "operator"'],
  ),
];
