import type { Mutant } from "./mutant.ts";

/** A mutant with its room and its number in it, from 1. */
export interface Numbered {
  room: string;
  number: number;
  mutant: Mutant;
}

/**
 * Chooses mutants by arguments such as `links qr 3 4`: all of the room links, the third and the fourth of qr. Without
 * arguments, all are chosen.
 */
export function chooseMutants(rooms: ReadonlyMap<string, Mutant[]>, words: readonly string[]): Numbered[] {
  const numbers = new Map<string, number[]>();
  let room = "";
  for (const word of words) {
    if (/^\d+$/.test(word)) {
      if (room === "") throw new Error(`${word}: name the room first, as in \`links 3\``);
      numbers.get(room)?.push(Number(word));
    } else {
      if (!rooms.has(word))
        throw new Error(`unknown room ${word}; rooms are ${[...rooms.keys()].join(", ")}`);
      room = word;
      numbers.set(room, numbers.get(room) ?? []);
    }
  }
  const chosen = words.length === 0 ? new Map([...rooms.keys()].map((name) => [name, []])) : numbers;
  return [...chosen].flatMap(([name, only]) => chooseOfRoom(name, rooms.get(name) ?? [], only));
}

/** Chooses the mutants of a room that have one of the numbers, or all if there are no numbers. */
function chooseOfRoom(room: string, mutants: readonly Mutant[], only: readonly number[]): Numbered[] {
  const beyond = only.find((number) => number < 1 || number > mutants.length);
  if (beyond !== undefined) throw new Error(`${room} has ${mutants.length} mutants, and no ${beyond}`);
  const all = mutants.map((mutant, index) => ({ room, number: index + 1, mutant }));
  return only.length === 0 ? all : all.filter(({ number }) => only.includes(number));
}
