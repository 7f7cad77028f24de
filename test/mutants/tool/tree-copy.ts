import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { applyMutant, type Mutant } from "./mutant.ts";

export const ROOT = resolve(import.meta.dirname, "../../..");

/** Folder of the copies. Below the root, because modules are found in its `node_modules` from there. */
const COPIES = join(ROOT, ".mutants");
/** Entries of the root that tests do not read, or that are large. */
const LEFT_OUT = new Set([".git", ".mutants", ".signpost", ".wrangler", "dist", "node_modules"]);

/** Copy of the repository. Mutants are put into it, so that whatever happens to this process, the repository has none. */
export class TreeCopy {
  readonly path: string;

  constructor() {
    mkdirSync(COPIES, { recursive: true });
    this.path = mkdtempSync(join(COPIES, "copy-"));
    for (const entry of readdirSync(ROOT)) {
      if (!LEFT_OUT.has(entry)) cpSync(join(ROOT, entry), join(this.path, entry), { recursive: true });
    }
  }

  /** Puts a mutant in. Throws unless its text occurs exactly once. Returns a function that takes it out again. */
  apply(mutant: Mutant): () => void {
    const path = join(this.path, mutant.file);
    const source = readFileSync(path, "utf8");
    writeFileSync(path, applyMutant(source, mutant));
    return () => writeFileSync(path, source);
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
