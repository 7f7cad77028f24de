import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Time to wait for the lock. Two starts at the same instant may block each other for a moment. */
const LOCK_TIMEOUT_MS = 500;

/** Locks of this process. The array keeps them from the garbage collector, which would release them. */
const locks: DatabaseSync[] = [];

/**
 * Locks a folder until this process ends. Returns false if the folder is locked already, also under another
 * path. The lock is SQLite's lock of a file in the folder: the operating system releases it even after
 * SIGKILL. A file with a process id would outlive a crash, and the id could then belong to another process.
 */
export function lockFolder(folder: string): boolean {
  const lock = new DatabaseSync(join(folder, "lock.sqlite"), { timeout: LOCK_TIMEOUT_MS });
  try {
    lock.exec("BEGIN EXCLUSIVE");
    locks.push(lock);
    return true;
  } catch (error) {
    lock.close();
    if (isBusyError(error)) return false;
    throw error;
  }
}

function isBusyError(error: unknown): boolean {
  const SQLITE_BUSY = 5;
  return error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
}
