import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { PROJECT } from "./state.ts";

/** Records of builds: the hashes of all files that a build has read and written. */

const HASH_LENGTH = 16;

/** Returns true if no file has changed since its build was recorded. */
export function isUnchanged(record: string): boolean {
  const hashes: Record<string, string> = JSON.parse(readOrNull(record) ?? '{"": ""}');
  return Object.entries(hashes).every(([path, hashed]) => hashFile(path) === hashed);
}

/** Records a build. Paths are relative to the project. */
export function recordBuild(record: string, paths: readonly string[]): void {
  mkdirSync(dirname(record), { recursive: true });
  writeWhole(record, JSON.stringify(Object.fromEntries(paths.map((path) => [path, hashFile(path)]))));
}

/** Returns the hash of a file in the project, or null if the file doesn't exist. */
function hashFile(path: string): string | null {
  const text = readOrNull(join(PROJECT, path));
  return text === null ? null : hash(text);
}

/** Replaces a file in one step. Doesn't touch unchanged files, so that file watchers aren't triggered. */
export function writeWhole(path: string, text: string): void {
  if (readOrNull(path) === text) return;
  const part = `${path}.${process.pid}.part`;
  writeFileSync(part, text);
  renameSync(part, path);
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

/** Returns the start of a text's SHA-256. */
export function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, HASH_LENGTH);
}
