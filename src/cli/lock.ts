import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Time to wait for the lock. Two simultaneous starts may block each other briefly. */
const LOCK_TIMEOUT_MS = 500;

/** Locks of this process, by folder. */
const locks = new Map<string, DatabaseSync>();

/**
 * Locks a folder until {@link unlockFolder} is called or this process exits. Returns false if the folder is
 * already locked, even through another path. Uses SQLite's lock on a file in the folder, which the operating
 * system releases even after SIGKILL. A file with a process ID would survive a crash, and the ID could then belong
 * to another process.
 */
export function lockFolder(folder: string, timeout = LOCK_TIMEOUT_MS): boolean {
  const lock = new DatabaseSync(join(folder, "lock.sqlite"), { timeout });
  try {
    lock.exec("BEGIN EXCLUSIVE");
    locks.set(folder, lock);
    return true;
  } catch (error) {
    lock.close();
    if (isBusyError(error)) return false;
    throw error;
  }
}

/** Releases a lock of this process. */
export function unlockFolder(folder: string): void {
  locks.get(folder)?.close();
  locks.delete(folder);
}

/** Returns true if this process has locked the folder. */
export function holdsLock(folder: string): boolean {
  return locks.has(folder);
}

function isBusyError(error: unknown): boolean {
  const SQLITE_BUSY = 5;
  return error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
}
