import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Free space that the files of a run need, with a wide margin. */
const FREE_BYTES_MIN = 4 * 2 ** 30;

/** Folder in which Node keeps compiled code for further processes and runs. `npm run dev` uses it as well. */
const COMPILED = join(import.meta.dirname, "../../node_modules/.cache/node");
/** Number of files in it with which the folder is emptied. A first run writes 3,700, and each other one some ten. */
const COMPILED_MAX = 10_000;

/** Returns the folder in memory, in which databases are written without waiting for a disk, if it has enough space. */
export function findParentFolder(): string {
  try {
    const { bavail, bsize } = statfsSync("/dev/shm");
    if (bavail * bsize >= FREE_BYTES_MIN) return "/dev/shm";
  } catch {
    // Other systems than Linux have no such folder.
  }
  return tmpdir();
}

/** Lets child processes use the code that earlier ones compiled. */
function useCompiledCode(): void {
  if (existsSync(COMPILED) && readdirSync(COMPILED, { recursive: true }).length > COMPILED_MAX)
    rmSync(COMPILED, { recursive: true, force: true });
  process.env.NODE_COMPILE_CACHE = COMPILED;
}

/**
 * Creates one temporary folder for this test run, its workers and their child processes, and removes it at
 * the end, so that killed services, Chromium and wrangler leave nothing behind. Returns true the first time in a run,
 * because Vitest evaluates its configuration once per project.
 */
export function useTempFolder(): boolean {
  if (process.env.SIGNPOST_TEST_FOLDER === tmpdir()) return false;
  // Uses a short name, because the path of Chromium's socket in it must not exceed 107 characters.
  const folder = mkdtempSync(join(findParentFolder(), "sp-"));
  process.env.SIGNPOST_TEST_FOLDER = folder;
  process.env.TMPDIR = folder;
  useCompiledCode();
  process.once("exit", () => {
    // A killed process may still write, so the removal is repeated.
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });
  return true;
}
