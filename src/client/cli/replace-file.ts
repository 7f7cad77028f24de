import { closeSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { CommandError } from "./exit-code.ts";

/**
 * Writes to a temporary file next to the target, and moves it there once it is complete. A run that was killed leaves
 * the temporary file, which the next one replaces.
 */
export async function replaceFile(
  path: string,
  fill: (write: (part: string | Uint8Array) => void) => Promise<void>,
): Promise<void> {
  const part = `${path}.part`;
  const file = openForWriting(part, path);
  try {
    await fill((content) => writeFileSync(file, content));
    renameSync(part, path);
  } finally {
    closeSync(file);
    rmSync(part, { force: true });
  }
}

function openForWriting(part: string, path: string): number {
  try {
    return openSync(part, "w");
  } catch (error) {
    throw new CommandError(`${path} cannot be written: ${(error as NodeJS.ErrnoException).code}`);
  }
}
