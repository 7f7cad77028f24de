import { readdirSync } from "node:fs";
import { join } from "node:path";

/** A fault that can be put into the source: one text of one file is replaced by another. */
export interface Mutant {
  /** Path of the file from the root of the repository. */
  file: string;
  /** Text that occurs exactly once in the file. Short and on one line, so that it survives other changes. */
  search: string;
  replacement: string;
  /** Test files of which at least one should fail. The quickest that can notice it, not all that might. */
  tests: readonly string[];
  /** Reason why no caller can tell the difference. Such a mutant is not counted. */
  equivalent?: string;
  /** Reason why no test notices it, although it changes something. Counted as survived. */
  unseen?: string;
}

/** A text, its replacement, and the reason if the tests cannot or do not notice it. */
type Change = readonly [
  search: string,
  replacement: string,
  reason?: { equivalent: string } | { unseen: string },
];

/** Lists the mutants of one file that the same tests should notice. */
export function mutate(file: string, tests: string | readonly string[], ...changes: Change[]): Mutant[] {
  return changes.map(([search, replacement, reason]) => ({
    file,
    search,
    replacement,
    tests: typeof tests === "string" ? [tests] : tests,
    ...reason,
  }));
}

export const ROOMS_DIRECTORY = join(import.meta.dirname, "..");

/** Reads the mutants of every room: the export `mutants` of each file beside the folder of this tool. */
export async function readRooms(): Promise<Map<string, Mutant[]>> {
  const files = readdirSync(ROOMS_DIRECTORY).filter((file) => file.endsWith(".ts"));
  const rooms = new Map<string, Mutant[]>();
  for (const file of files.sort()) {
    const { mutants }: { mutants: Mutant[] } = await import(join(ROOMS_DIRECTORY, file));
    rooms.set(file.slice(0, -".ts".length), mutants);
  }
  return rooms;
}

/** Returns the text of a file with a mutant in it. Throws unless the searched text occurs exactly once. */
export function applyMutant(source: string, { file, search, replacement }: Mutant): string {
  const parts = source.split(search);
  if (search === "" || parts.length !== 2) {
    throw new Error(`${file}: ${JSON.stringify(search)} occurs ${parts.length - 1} times, not once`);
  }
  return parts.join(replacement);
}
