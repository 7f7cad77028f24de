import { type Mutant, mutate } from "../by-hand.ts";

/** Moves of workspaces from shard to shard, and the copies of hosts that every shard has. */
export const mutants: Mutant[] = [
  ...mutate(
    "src/tenant/host-copies.ts",
    "worker/host-copies",
    ["copy.number <= value", "copy.number < value"],
    ["copy.number is null or copy.number <= value ->> 'number'", "copy.number <= value ->> 'number'"],
    ["copy.number is null or copy.number <= value ->> 'number'", "copy.number is null"],
    ["copy.number is null or copy.number <= value ->> 'number'", "true"],
    ["coalesce(excluded.number, ${ownHosts.number})", "excluded.number"],
    ["return row?.last ?? 0;", "return 0;"],
  ),
  ...mutate(
    "src/tenant/sweep-hosts.ts",
    "worker/host-copies",
    ["orderBy(asc(domains.number))", "orderBy(asc(domains.hostname))"],
    [".orderBy(asc(unsettledHosts.unsettledAt))", ""],
    ["filter(({ hostname }) => !used.has(hostname))", "slice()"],
    ["copyHosts(shard, kept), ", ""],
    ["copyHosts(shard, kept), removeHostCopies(shard, removed)", "copyHosts(shard, kept)"],
    ["value ->> 'unsettledAt' from", "unsettled_at from"],
  ),
  ...mutate(
    "src/moves/move-run.ts",
    "worker/workspace-moves",
    ['fence: ["fenced", "arriving"],', 'fence: ["leaving", "arriving"],'],
    ['moved: ["fenced", "settled"],', 'moved: ["leaving", "settled"],'],
    ["(await this.#target.readPosition()) ?? { table: 0, rows: {} }", "{ table: 0, rows: {} }"],
    [
      'await this.#source.enter("left", ...dropFences(this.#workspace));',
      'await this.#source.enter("left");',
    ],
  ),
  ...mutate("src/moves/changed-rows.ts", "worker/workspace-moves", [
    "prepareGuard(source, workspace.id, epoch),",
    "",
  ]),
  ...mutate(
    "src/moves/shard-run.ts",
    "worker/workspace-moves",
    ["MOVED_TABLES.toReversed()", "MOVED_TABLES"],
    ["      prepareGuard(this.d1, this.#workspace.id, this.#epoch),", ""],
  ),
  ...mutate(
    "src/tenant/transits.ts",
    "worker/workspace-moves",
    ["WHERE excluded.epoch >= epoch`", "WHERE true`"],
    ["AND epoch = ?2)", ")"],
  ),
  ...mutate(
    "src/tenant/transits.ts",
    "worker/webhook-deliveries",
    ['["pausing", "fenced", "arriving"]', '["fenced", "arriving"]'],
    ['["pausing", "fenced", "arriving"]', '["pausing", "arriving"]'],
    ['["pausing", "fenced", "arriving"]', '["pausing", "fenced"]'],
    ['["pausing", "fenced", "arriving"]', '["leaving"].concat(["pausing", "fenced", "arriving"])'],
  ),
  ...mutate("src/moves/move-run.ts", "worker/move-times", [
    "while (await this.#replay());\n    const differences",
    "await this.#replay();\n    const differences",
  ]),
  ...mutate("src/moves/changed-rows.ts", "worker/move-times", [
    "ORDER BY seq LIMIT ${STEP_CHANGES}",
    "ORDER BY seq DESC LIMIT ${STEP_CHANGES}",
  ]),
  ...mutate(
    "src/moves/sync-rows.ts",
    "worker/move-times",
    ["rest = rest.slice(rows.length);", "rest = [];"],
    ["rest = rest.slice(rows.length);", "rest = rest.slice(STEP_ROWS);"],
    ["Math.ceil(keys.length / STEP_ROWS)", "Math.min(1, keys.length)"],
  ),
];
