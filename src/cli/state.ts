import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

export const PROJECT = resolve(import.meta.dirname, "../..");
const DEFAULT_STATE = join(PROJECT, ".signpost");

export const DEFAULT_PORT = 8787;
/** Read and write for the owner alone: the folder holds secrets. */
const PRIVATE_MODE = 0o600;

/** What a local start keeps beside its databases and buckets. */
interface Remembered {
  /** Port of the last start: part of every address that the admin command prints. */
  port?: number;
  /** Key of the demo workspace, so that each start can print it. */
  demoKey?: string;
}

/** The folder that holds all state of a local start. */
export class StateFolder {
  readonly path: string;

  constructor(path: string | undefined) {
    this.path = path === undefined ? DEFAULT_STATE : resolve(path);
    mkdirSync(this.path, { recursive: true });
  }

  get remembered(): Remembered {
    const file = this.#file("start.json");
    return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  }

  remember(change: Remembered): void {
    const text = JSON.stringify({ ...this.remembered, ...change }, null, 2);
    writeFileSync(this.#file("start.json"), `${text}\n`, { mode: PRIVATE_MODE });
  }

  /** File with the Worker's secrets, which each state folder makes for itself. */
  secretsFile(names: readonly string[]): string {
    const file = this.#file("secrets.env");
    const lines = existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
    const missing = names.filter((name) => !lines.some((line) => line.startsWith(`${name}=`)));
    lines.push(...missing.map((name) => `${name}=${randomBytes(32).toString("base64url")}`));
    if (missing.length > 0) writeFileSync(file, `${lines.join("\n")}\n`, { mode: PRIVATE_MODE });
    return file;
  }

  #file(name: string): string {
    return join(this.path, name);
  }
}
