import { type Mutant, mutate } from "../by-hand.ts";

export const mutants: Mutant[] = [
  ...mutate(
    "src/counting/window.ts",
    "unit/window",
    ["    this.#open = null;", ""],
    [
      "await sendToEither(queues, message)",
      "await sendToEither(queues, { ...message, id: generateUuidv7(Date.now()) })",
    ],
    ["Object.entries({ main, spare })", "Object.entries({ main })"],
  ),
  ...mutate(
    "src/counting/counted-slices.ts",
    "worker/scans",
    ["WHERE bucket < ?1 ORDER", "WHERE bucket <= ?1 ORDER"],
    ["return [REFUSE_COUNTED, REMEMBER]", "return [REMEMBER]"],
    ["return [REFUSE_COUNTED, REMEMBER]", "return [REFUSE_COUNTED]"],
  ),
  ...mutate(
    "src/counting/slices.ts",
    "unit/counting",
    ["[...new Set(former.map((left) => left.shard))]", "former.map((left) => left.shard)"],
    ["if (location === undefined) return [];", "if (location === undefined) throw new Error();"],
    ["Number.isSafeInteger(timeMs)", "Number.isInteger(timeMs)"],
    ['.padStart(NODE_DIGITS, "0")', ""],
  ),
  ...mutate(
    "src/counting/count.ts",
    "unit/counting",
    ["!isTooOld(body.id, nowMs)", 'body.id !== ""'],
    ["2 ** (message.attempts - 1)", "2 ** message.attempts"],
    ["    ...waiting.map(({ windowId }) => windowId),", ""],
  ),
  ...mutate("src/core/split.ts", "unit/split", ["step.length === itemsMax", "step.length > itemsMax"]),
  ...mutate("src/counting/shard-counter.ts", "unit/counting", [
    "? 0 : failures + 1",
    "? failures : failures + 1",
  ]),
  ...mutate("src/scans/dimensions.ts", "unit/scans", [": [Math.floor(", ": [Math.ceil("]),
];
