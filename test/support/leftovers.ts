import { afterAll, vi } from "vitest";

/** Globals of Vitest, zod and tslib, which begin with two underscores, and the class that the WebP decoder needs. */
const EXPECTED = /^globalThis\.(?:__|ImageData$)/;

/**
 * Fails a file that leaves a fake clock, a stubbed global or a replaced member of the objects in the isolate
 * that it shares with other files. Call it before the tests of the file.
 */
export function checkLeftovers(objects: Record<string, object>): void {
  const watched = { globalThis, Date, Math, JSON, Promise, console, crypto, performance, ...objects };
  const before = readMembers(watched);
  afterAll(() => {
    const leftovers = vi.isFakeTimers() ? ["fake timers"] : [];
    vi.useRealTimers();
    // As Vitest does after each file.
    vi.restoreAllMocks();
    const after = readMembers(watched);
    for (const name of new Set([...before.keys(), ...after.keys()])) {
      if (!EXPECTED.test(name) && !Object.is(before.get(name), after.get(name))) leftovers.push(name);
    }
    vi.unstubAllGlobals();
    if (leftovers.length > 0) throw new Error(`the file leaves behind: ${leftovers.join(", ")}`);
  });
}

/** Returns the members of objects by their names. */
function readMembers(objects: Record<string, object>): Map<string, unknown> {
  const members = new Map<string, unknown>();
  for (const [name, object] of Object.entries(objects)) {
    // Ignores symbols, under which libraries store their registries.
    for (const key of Object.getOwnPropertyNames(object)) {
      // Node prints a warning when its storage is read.
      if (key === "localStorage" || key === "sessionStorage") continue;
      members.set(`${name}.${key}`, Reflect.get(object, key));
    }
  }
  return members;
}
