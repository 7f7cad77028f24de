import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { CommandError } from "./command.ts";

export const PROJECT = resolve(import.meta.dirname, "../..");
const DEFAULT_STATE = join(PROJECT, ".signpost");

export const DEFAULT_PORT = 8787;

/** What a local start keeps beside its databases and buckets. */
interface Remembered {
  /** Port of the last start: part of every address that the admin command prints. */
  port?: number;
  /** Key of the demo workspace, so that each start can print it. */
  demoKey?: string;
}

/** The folder that holds all state of a local start. */
export class StateFolder {
  /** Without symbolic links, so that a folder has one path. */
  readonly path: string;

  private constructor(path: string) {
    this.path = realpathSync(path);
  }

  /** The folder for a start, made if there is none. */
  static make(path = DEFAULT_STATE): StateFolder {
    mkdirSync(path, { recursive: true });
    return new StateFolder(path);
  }

  /** The folder of an earlier start. Throws {@link CommandError} where there has been none. */
  static open(path = DEFAULT_STATE): StateFolder {
    if (existsSync(join(path, "start.json"))) return new StateFolder(path);
    throw new CommandError(`no state at ${resolve(path)}; start the service once: npm run dev`);
  }

  get remembered(): Remembered {
    const file = this.#file("start.json");
    return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  }

  remember(change: Remembered): void {
    const text = JSON.stringify({ ...this.remembered, ...change }, null, 2);
    writePrivately(this.#file("start.json"), `${text}\n`);
  }

  /** File with the Worker's secrets, which each state folder makes for itself. */
  secretsFile(names: readonly string[]): string {
    const file = this.#file("secrets.env");
    const lines = existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
    const missing = names.filter((name) => !lines.some((line) => line.startsWith(`${name}=`)));
    lines.push(...missing.map((name) => `${name}=${randomBytes(32).toString("base64url")}`));
    if (missing.length > 0) writePrivately(file, `${lines.join("\n")}\n`);
    return file;
  }

  #file(name: string): string {
    return join(this.path, name);
  }
}

/** Writes a file for the owner alone, as a whole or not at all: a crash leaves the one before. */
function writePrivately(file: string, text: string): void {
  const next = `${file}.next`;
  writeFileSync(next, text, { mode: 0o600 });
  renameSync(next, file);
}
