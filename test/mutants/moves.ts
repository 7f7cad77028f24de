import { type Mutant, mutate } from "./tool/mutant.ts";

const DELIVERIES = "test/worker/webhook-deliveries.test.ts";
const HOSTS = "test/worker/host-copies.test.ts";
const MOVES = "test/worker/workspace-moves.test.ts";
const TIMES = "test/worker/move-times.test.ts";

/** Moves of workspaces from shard to shard, and the copies of hosts that every shard has. */
export const mutants: Mutant[] = [
  ...mutate(
    "src/tenant/host-copies.ts",
    HOSTS,
    ["const HOSTS_PER_STEP = 500;", "const HOSTS_PER_STEP = 499;"],
    ["const HOSTS_PER_STEP = 500;", "const HOSTS_PER_STEP = 501;"],
    ["const STEPS_MAX = 20;", "const STEPS_MAX = 19;"],
    ["const STEPS_MAX = 20;", "const STEPS_MAX = 21;"],
    ["if (hosts.length < HOSTS_PER_STEP) return;", ""],
    ["and(gt(domains.number, after), living)", "gt(domains.number, after)"],
    ["and(gt(domains.number, after), living)", "living"],
    ["orderBy(asc(domains.number))", "orderBy(asc(domains.hostname))"],
  ),
  ...mutate(
    "src/tenant/own-host-copies.ts",
    HOSTS,
    ["lte(ownHosts.number, number ?? 0)", "lt(ownHosts.number, number ?? 0)"],
    ["or(isNull(ownHosts.number), lte(ownHosts.number, number ?? 0))", "lte(ownHosts.number, number ?? 0)"],
    ["or(isNull(ownHosts.number), lte(ownHosts.number, number ?? 0))", "isNull(ownHosts.number)"],
    ["and(eq(ownHosts.hostname, hostname), isFormer)", "eq(ownHosts.hostname, hostname)"],
    ["return row?.last ?? 0;", "return 0;"],
  ),
  ...mutate(
    "src/tenant/unsettled-hosts.ts",
    HOSTS,
    ["const CRASHED_MS = 10 * MINUTE_MS;", "const CRASHED_MS = 10 * MINUTE_MS - 1;"],
    ["const CRASHED_MS = 10 * MINUTE_MS;", "const CRASHED_MS = 10 * MINUTE_MS + 1;"],
    ["const HOSTS_PER_RUN = 50;", "const HOSTS_PER_RUN = 51;"],
    ["const HOSTS_PER_RUN = 50;", "const HOSTS_PER_RUN = 49;"],
    [".orderBy(asc(unsettledHosts.unsettledAt))", ""],
    ['    logError("the copies of a removed', '    throw error; logError("the copies of a removed'],
    ["isUsed ? copyHostname(shard, hostname) : removeHostCopy(shard, host)", "removeHostCopy(shard, host)"],
    ["isUsed ? copyHostname(shard, hostname) : removeHostCopy(shard, host)", "copyHostname(shard, hostname)"],
    [", eq(unsettledHosts.unsettledAt, unsettledAt))", ")"],
  ),
  ...mutate(
    "src/moves/move-run.ts",
    TIMES,
    ["leaseMs: MINUTE_MS,", "leaseMs: MINUTE_MS - 1,"],
    ["runMs: 50 * SECOND_MS,", "runMs: 50 * SECOND_MS - 1,"],
    ["runMs: 50 * SECOND_MS,", "runMs: 50 * SECOND_MS + 1,"],
    ["keepMs: 3 * MINUTE_MS,", "keepMs: 3 * MINUTE_MS - 1,"],
    ["keepMs: 3 * MINUTE_MS,", "keepMs: 3 * MINUTE_MS + 1,"],
    ["const TURNS_MAX_MS = 40 * SECOND_MS;", "const TURNS_MAX_MS = 40 * SECOND_MS - 1;"],
    ["const TURNS_MAX_MS = 40 * SECOND_MS;", "const TURNS_MAX_MS = 40 * SECOND_MS + 1;"],
    ["const SAVE_MS = SECOND_MS;", "const SAVE_MS = SECOND_MS - 1;"],
    ["const SAVE_MS = SECOND_MS;", "const SAVE_MS = SECOND_MS + 1;"],
    ["if (Date.now() < emptiesAtMs) return;", ""],
    ["if (nowMs >= endsAtMs) throw new TimeUpError();", ""],
  ),
  ...mutate(
    "src/moves/move-run.ts",
    MOVES,
    ['if (this.#phase !== "fence") return;', "return;"],
    ['    await this.#source.enter("pausing");', ""],
    ['fence: ["fenced", "arriving"],', 'fence: ["leaving", "arriving"],'],
    ['moved: ["fenced", "settled"],', 'moved: ["leaving", "settled"],'],
    ["(await this.#target.readPosition()) ?? { table: 0, rows: {} }", "{ table: 0, rows: {} }"],
    ["if (keys.length > 0) await this.#target.run", "await this.#target.run"],
    ["if (differences.length > 0) {", "if (false) {"],
    ["    await this.#source.run(...openForDeletion(this.#workspace));", ""],
    [
      'await this.#source.enter("left", ...dropFences(this.#workspace));',
      'await this.#source.enter("left");',
    ],
  ),
  ...mutate(
    "src/moves/changed-rows.ts",
    MOVES,
    ["prepareGuard(source, workspace.id, epoch),", ""],
    ["AND seq <= ?2", "AND seq < ?2"],
  ),
  ...mutate(
    "src/moves/shard-run.ts",
    MOVES,
    ["if (String(error).includes(OVERTAKEN)) throw new OvertakenError();", ""],
    ["MOVED_TABLES.toReversed()", "MOVED_TABLES"],
    ["      prepareGuard(this.d1, this.#workspace.id, this.#epoch),", ""],
  ),
  ...mutate(
    "src/tenant/transits.ts",
    MOVES,
    ["const RETRY_AFTER_MS = 2 * SECOND_MS;", "const RETRY_AFTER_MS = 3 * SECOND_MS;"],
    ["WHERE excluded.epoch >= epoch`", "WHERE true`"],
    ["AND epoch = ?2)", ")"],
  ),
  ...mutate(
    "src/tenant/transits.ts",
    DELIVERIES,
    ['["pausing", "fenced", "arriving"]', '["fenced", "arriving"]'],
    ['["pausing", "fenced", "arriving"]', '["pausing", "arriving"]'],
    ['["pausing", "fenced", "arriving"]', '["pausing", "fenced"]'],
    ['["pausing", "fenced", "arriving"]', '["leaving", "pausing", "fenced", "arriving"]'],
  ),
];
