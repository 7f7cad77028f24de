import { type Mutant, mutate } from "../by-hand.ts";

export const mutants: Mutant[] = [
  ...mutate(
    "src/audit/describe-changes.ts",
    "worker/audit",
    ["where changes <> '{}'`", "where true`"],
    [" is not field.value -> 2 or field.value ->> 3)`", " is not field.value -> 2)`"],
    ["and ${column} <> ${after}`", "and ${column} is not ${after}`"],
    ["%H:%M:%fZ", "%H:%M:%SZ"],
    ["iif(${value}, 'true', 'false')", "iif(${value}, 'false', 'true')"],
    ["is null, 'false', 'true')", "is null, 'true', 'false')"],
    ["iif(${column} is not ${after}, ", "iif(true, "],
    ["${size} > ${sql.raw", "${size} >= ${sql.raw"],
  ),
  ...mutate(
    "src/audit/describe-changes.ts",
    "worker/write-budget",
    ["bytes > VALUE_MAX_BYTES", "bytes >= VALUE_MAX_BYTES"],
    ["all), isAlwaysAllowed: true };", "all) };"],
    [", ...newBytes];", "];"],
  ),
  ...mutate(
    "src/audit/insert-entries.ts",
    "worker/write-budget",
    ["iif(${sum} <= ${sql", "iif(${sum} < ${sql"],
    ["iif(time.at / ${day} = time.last_at / ${day}, time.bytes, 0)", "time.bytes"],
    ["iif(time.at / ${day} = time.last_at / ${day}, time.bytes, 0)", "0"],
    ["rows unbounded preceding)`;", "rows current row)`;"],
    ["workspace.plan === undefined || isAlwaysAllowed\n", "workspace.plan === undefined\n"],
  ),
  ...mutate(
    "src/cli/audit-statements.ts",
    "node/cli-audit",
    [", day_bytes, 0)", ", 0, 0)"],
    ["`json_array(${value}, NULL)`", "`json_array(NULL, ${value})`"],
  ),
  ...mutate(
    "src/audit/insert-entries.ts",
    "worker/audit",
    ["coalesce(last.at, 0) + 1)", "0)"],
    [
      "row_number() over (order by change.resource_id)",
      "row_number() over (order by change.resource_id desc)",
    ],
    ["actorName: actor.name", "actorName: actor.id"],
  ),
  ...mutate(
    "src/audit/find-entries.ts",
    "worker/audit",
    ["undefined : gte(log.id, formatLimit(from))", "undefined : undefined"],
    ["undefined : lt(log.id, formatLimit(to))", "undefined : undefined"],
  ),
  ...mutate("src/audit/find-entries.ts", "worker/lists", [
    "sql`+${log.workspaceId} = ${workspaceId}`",
    "eq(log.workspaceId, workspaceId)",
  ]),
  ...mutate("src/audit/list-entries.ts", "worker/audit", [
    "(one.id < other.id ? 1 : -1)",
    "(one.id < other.id ? -1 : 1)",
  ]),
  ...mutate("src/audit/sweep-log.ts", "worker/audit", ["and not ${isLeftAlone} ", ""]),
  ...mutate("src/links/link-history.ts", "worker/audit", ['resource_type: "link", ', ""]),
  ...mutate("src/audit/shard-log.ts", "worker/audit", [
    "sweepLog(db, auditLog, { table: tenants, isLeftAlone: isLockedByMove(tenants.id) }, nowMs)",
    "Promise.resolve()",
  ]),
  ...mutate(
    "src/cli/token-records.ts",
    "node/cli-audit",
    ['    buildEntry("scim-token create", "scim_token", created),\n', ""],
    ["buildRemoval(TOKEN_FIELDS)", "buildCreation(TOKEN_FIELDS)"],
  ),
];
