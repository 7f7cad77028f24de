import { type Mutant, mutate } from "../by-hand.ts";

const WINDOW = "test/unit/window.test.ts";
const SCANS = "test/worker/scans.test.ts";
const COUNTING = "test/unit/counting.test.ts";
const SPLIT = "test/unit/split.test.ts";

export const mutants: Mutant[] = [
  ...mutate(
    "src/counting/window.ts",
    WINDOW,
    ["if (this.#open === window) await", "await"],
    ["    this.#open = null;", ""],
    ["if (nowMs < sinceMs + UNSENT_MS) break;", "break;"],
    [
      "await sendToEither(queues, message)",
      "await sendToEither(queues, { ...message, id: generateUuidv7(Date.now()) })",
    ],
    ["Object.entries({ main, spare })", "Object.entries({ main })"],
  ),
  ...mutate(
    "src/counting/counted-slices.ts",
    SCANS,
    ["WHERE bucket < ?1 ORDER", "WHERE bucket <= ?1 ORDER"],
    ["return [REFUSE_COUNTED, REMEMBER]", "return [REMEMBER]"],
    ["return [REFUSE_COUNTED, REMEMBER]", "return [REFUSE_COUNTED]"],
  ),
  ...mutate(
    "src/counting/slices.ts",
    COUNTING,
    ["[...new Set(former.map((left) => left.shard))]", "former.map((left) => left.shard)"],
    ["if (location === undefined) return [];", "if (location === undefined) throw new Error();"],
    ["Number.isSafeInteger(timeMs)", "Number.isInteger(timeMs)"],
    ['.padStart(NODE_DIGITS, "0")', ""],
  ),
  ...mutate(
    "src/counting/count.ts",
    COUNTING,
    ["!isTooOld(body.id, nowMs)", 'body.id !== ""'],
    ["if (counted.size > 0) batch.ackAll();", "batch.ackAll();"],
    ["2 ** (message.attempts - 1)", "2 ** message.attempts"],
    ["    ...waiting.map(({ windowId }) => windowId),", ""],
  ),
  ...mutate("src/core/split.ts", SPLIT, ["step.length === itemsMax", "step.length > itemsMax"]),
  ...mutate(
    "src/counting/shard-counter.ts",
    COUNTING,
    ["? 0 : failures + 1", "? failures : failures + 1"],
    ["if (!held.includes(slice)) this", "this"],
    ["          if (fenced.length === 0) throw error;", "          throw error;"],
  ),
];
