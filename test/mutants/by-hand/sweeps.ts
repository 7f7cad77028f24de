import { type Mutant, mutate } from "../by-hand.ts";

/** Sweeps of the cron, erasure, claims of slugs, moves and dead letters. */
export const mutants: Mutant[] = [
  ...mutate("src/bio/slug-claims.ts", "worker/sweeps", ["set: { unsettledAt: nowMs },", "set: { slug },"]),
  ...mutate(
    "src/bio/sweep-slugs.ts",
    "worker/sweeps",
    ["used.has(claim.slug) ? settleSlug : releaseSlug", "releaseSlug"],
    ["used.has(claim.slug) ? settleSlug : releaseSlug", "settleSlug"],
  ),
  ...mutate("src/bio/bio.ts", "worker/sweeps", [
    "(${bioPages.workspaceId}, ${bioPages.id}, ${bioPages.slug}) in",
    "(${bioPages.workspaceId}, ${bioPages.id}, value ->> 2) in",
  ]),
  ...mutate(
    "src/erasure.ts",
    "worker/sweeps",
    ["Math.ceil(stepsLeft / workspaces.length)", "stepsLeft"],
    ["return { steps: 0, isDone: true };", "throw error;"],
    ["Math.floor(nowMs / MINUTE_MS)", "0"],
  ),
  ...mutate("src/tenant/deleted-workspaces.ts", "worker/sweeps", [
    "Math.ceil((counted?.total ?? 0) / limit)",
    "Math.floor((counted?.total ?? 0) / limit)",
  ]),
  ...mutate(
    "src/moves/move-list.ts",
    "worker/sweeps",
    ["lt(workspaceMoves.movedAt, movedBefore)", "lte(workspaceMoves.movedAt, movedBefore)"],
    ["sql`${workspaceMoves.phase} <> 'done'`, lte(", "sql`${workspaceMoves.phase} <> 'done'`, lt("],
    ['ne(workspaceMoves.phase, "done"), lte(', 'ne(workspaceMoves.phase, "done"), lt('],
    ['ne(workspaceMoves.phase, "done"), ', ""],
    ["leaseUntil: nowMs + leaseMs", "leaseUntil: nowMs"],
    ["${workspaceMoves.runs} + 1", "${workspaceMoves.runs}"],
  ),
  ...mutate(
    "src/cron.ts",
    "worker/sweeps",
    [
      "await Promise.allSettled(Object.values(sweeps))",
      "await Promise.all(Object.values(sweeps)).then(() => [])",
    ],
    ["[...shards.slice(first), ...shards.slice(0, first)]", "shards.slice(first)"],
    [
      "await Promise.all([sweepDirectory(env, nowMs), sweepShards(env, nowMs), watching]);",
      "await Promise.all([sweepDirectory(env, nowMs), watching]);",
    ],
    ["    sweepIdempotencyKeys: sweepIdempotencyKeys(on.db, nowMs),", ""],
  ),
  ...mutate(
    "src/dead-letters/dead-letters.ts",
    "worker/dead-letters",
    ["Promise.allSettled(replays)", "Promise.all(replays).then(() => [])"],
    ["isNotNull(deadLetters.replayAt), ", ""],
    ["isNotNull(deadLetters.replayAt), eq(deadLetters.kind, kind)", "isNotNull(deadLetters.replayAt)"],
    ["count === STEP_MESSAGES && Date.now()", "count > STEP_MESSAGES && Date.now()"],
    [".onConflictDoNothing()", ""],
    ["while (count > 0 && ", "while (count < 0 && "],
  ),
  ...mutate(
    "src/dead-letters/queue-name.ts",
    "unit/queue-name",
    ['isDead: role === "dead"', "isDead: role !== undefined"],
    ["/(?:^|-)(scans", "/(scans"],
  ),
];
