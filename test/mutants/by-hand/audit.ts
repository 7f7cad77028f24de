import { type Mutant, mutate } from "../by-hand.ts";

const AUDIT = "test/worker/audit.test.ts";
const WRITE_BUDGET = "test/worker/write-budget.test.ts";
const LISTS = "test/worker/lists.test.ts";
const CLI_AUDIT = "test/node/cli-audit.test.ts";

export const mutants: Mutant[] = [
  ...mutate(
    "src/audit/describe-changes.ts",
    AUDIT,
    ["where changes <> '{}'`", "where true`"],
    [" is not field.value -> 2 or field.value ->> 3)`", " is not field.value -> 2)`"],
    ["and ${column} <> ${after}`", "and ${column} is not ${after}`"],
    ["%H:%M:%fZ", "%H:%M:%SZ"],
    ["iif(${value}, 'true', 'false')", "iif(${value}, 'false', 'true')"],
    ["is null, 'false', 'true')", "is null, 'true', 'false')"],
    ["iif(${column} is not ${after}, ", "iif(true, "],
  ),
  ...mutate(
    "src/audit/describe-changes.ts",
    WRITE_BUDGET,
    ["bytes > VALUE_MAX_BYTES", "bytes >= VALUE_MAX_BYTES"],
    ["${size} > ${sql.raw", "${size} >= ${sql.raw"],
    ['form === "restorable" ? show(column, "value", column) : showColumn', "showColumn"],
    ["all), isAlwaysAllowed: true };", "all) };"],
    [", ...newBytes];", "];"],
  ),
  ...mutate(
    "src/audit/insert-entries.ts",
    WRITE_BUDGET,
    ["iif(${sum} <= ${sql", "iif(${sum} < ${sql"],
    ["iif(time.at / ${day} = time.last_at / ${day}, time.bytes, 0)", "time.bytes"],
    ["iif(time.at / ${day} = time.last_at / ${day}, time.bytes, 0)", "0"],
    ["rows unbounded preceding)`;", "rows current row)`;"],
    ["workspace.plan === undefined || isAlwaysAllowed\n", "workspace.plan === undefined\n"],
  ),
  ...mutate("src/http/error-handler.ts", WRITE_BUDGET, ["isBudgetExceeded(error)", "false"]),
  ...mutate("src/cli/audit-statements.ts", CLI_AUDIT, [", day_bytes, 0)", ", 0, 0)"]),
  ...mutate(
    "src/audit/insert-entries.ts",
    AUDIT,
    ["coalesce(last.at, 0) + 1)", "0)"],
    [
      "row_number() over (order by change.resource_id)",
      "row_number() over (order by change.resource_id desc)",
    ],
    ["actorName: actor.name", "actorName: actor.id"],
  ),
  ...mutate(
    "src/audit/find-entries.ts",
    AUDIT,
    ["undefined : gte(log.id, formatLimit(from))", "undefined : undefined"],
    ["undefined : lt(log.id, formatLimit(to))", "undefined : undefined"],
  ),
  ...mutate("src/audit/find-entries.ts", LISTS, [
    "sql`+${log.workspaceId} = ${workspaceId}`",
    "eq(log.workspaceId, workspaceId)",
  ]),
  ...mutate("src/audit/list-entries.ts", AUDIT, [
    "(one.id < other.id ? 1 : -1)",
    "(one.id < other.id ? -1 : 1)",
  ]),
  ...mutate("src/audit/sweep-log.ts", AUDIT, ["and not ${isLeftAlone} ", ""]),
  ...mutate("src/links/link-history.ts", AUDIT, ['resource_type: "link", ', ""]),
  ...mutate("src/audit/shard-log.ts", AUDIT, [
    "sweepLog(db, auditLog, { table: tenants, isLeftAlone: isLockedByMove(tenants.id) }, nowMs)",
    "Promise.resolve()",
  ]),
  ...mutate("src/cli/audit-statements.ts", CLI_AUDIT, [
    "`json_array(${value}, NULL)`",
    "`json_array(NULL, ${value})`",
  ]),
  ...mutate(
    "src/cli/token-records.ts",
    CLI_AUDIT,
    ['    buildEntry("scim-token create", "scim_token", created),\n', ""],
    ["buildRemoval(TOKEN_FIELDS)", "buildCreation(TOKEN_FIELDS)"],
  ),
];
