import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Two that start at the same instant may stand in each other's way for a moment. */
const PATIENCE_MS = 500;

/** What this process holds, until it ends. Kept here so that nothing is let go by the garbage collector. */
const held: DatabaseSync[] = [];

/**
 * Holds a folder for this process: false if another holds it, under whatever path. The hold is SQLite's lock of a file
 * in it, which one process alone can have, and which the system lets go with the process however it ends; a file with a
 * process id would outlive a crash and name a stranger.
 */
export function lockFolder(folder: string): boolean {
  const lock = new DatabaseSync(join(folder, "hold.sqlite"), { timeout: PATIENCE_MS });
  try {
    lock.exec("BEGIN EXCLUSIVE");
    held.push(lock);
    return true;
  } catch (error) {
    lock.close();
    if (isLocked(error)) return false;
    throw error;
  }
}

function isLocked(error: unknown): boolean {
  const SQLITE_BUSY = 5;
  return error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
}
