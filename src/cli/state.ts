import { randomBytes } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { parseEnv } from "node:util";
import { CommandError } from "./command-error.ts";

/** Root folder of the project. */
export const PROJECT = resolve(import.meta.dirname, "../..");
/** Configuration of the Worker. */
export const CONFIG_FILE = join(PROJECT, "wrangler.toml");
const DEFAULT_STATE = join(PROJECT, ".signpost");

export const DEFAULT_PORT = 8787;

/** Version of the databases of a state folder: 2 has a directory and shards. */
const LAYOUT = 2;

/** Folder of the databases and buckets, as `wrangler dev --persist-to` names it. */
const STORAGE = "v3";
/** Folder in which the first start creates them. If it was interrupted, the next start discards the folder. */
const UNFINISHED_STORAGE = "v3.unfinished";

/** Values that a local start saves beside its databases and buckets. */
interface SavedValues {
  /** Version of the databases: {@link LAYOUT}. Starts before there were shards saved none. */
  layout?: number;
  /** Port of the last start. The admin command prints it as part of addresses. */
  port?: number;
  /** Key of the demo workspace, which each start prints. */
  demoKey?: string;
  /** Version of the migrations that were all applied. */
  migrations?: string;
}

/** Folder with all state of a local start. */
export class StateFolder {
  /** Absolute path without symbolic links, so that a folder has one path only. */
  readonly path: string;
  #storage = STORAGE;

  private constructor(path: string) {
    this.path = realpathSync(path);
  }

  /** Opens the folder of a start, and creates it if needed. Throws {@link CommandError} for one of an earlier version. */
  static create(path = DEFAULT_STATE): StateFolder {
    mkdirSync(path, { recursive: true });
    const state = new StateFolder(path);
    state.#requireReadable();
    return state;
  }

  /** Opens the folder of an earlier start. Throws {@link CommandError} if the service never started there. */
  static open(path = DEFAULT_STATE): StateFolder {
    const isUnfinished = existsSync(join(path, UNFINISHED_STORAGE)) && !existsSync(join(path, STORAGE));
    if (existsSync(join(path, "start.json")) && !isUnfinished) {
      const state = new StateFolder(path);
      state.#requireReadable();
      return state;
    }
    throw new CommandError(`no local data in ${resolve(path)}; run \`npm run dev\` first`);
  }

  /** Path of the folder with the databases and buckets. */
  get storage(): string {
    return this.#file(this.#storage);
  }

  /**
   * Starts creating the databases if the folder has none, and returns true. They are in a temporary folder until
   * {@link finishStorage}.
   */
  beginStorage(): boolean {
    if (existsSync(this.storage)) return false;
    this.#storage = UNFINISHED_STORAGE;
    rmSync(this.storage, { recursive: true, force: true });
    return true;
  }

  /** Puts the databases that {@link beginStorage} began in their place. The rename is atomic: all of them are there, or none. */
  finishStorage(): void {
    const made = this.storage;
    this.#storage = STORAGE;
    renameSync(made, this.storage);
  }

  /** Values that earlier starts saved. */
  get saved(): SavedValues {
    const file = this.#file("start.json");
    return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  }

  /** Throws {@link CommandError} if an earlier version wrote the folder, which this one could not read. */
  #requireReadable(): void {
    const isFresh = !existsSync(this.#file("start.json"));
    if (isFresh || this.saved.layout === LAYOUT) return;
    throw new CommandError(
      `${this.path} was created by an incompatible earlier version of Signpost. ` +
        "Nothing was changed. Move the folder away or choose another one with --persist-to.",
    );
  }

  /** Saves some values and keeps the others. */
  save(change: SavedValues): void {
    const text = JSON.stringify({ layout: LAYOUT, ...this.saved, ...change }, null, 2);
    writePrivateFile(this.#file("start.json"), `${text}\n`);
  }

  /** Returns the file with the Worker's secrets. Generates the secrets that are missing from it. */
  ensureSecretsFile(names: readonly string[]): string {
    const file = this.#file("secrets.env");
    const lines = existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
    const missing = names.filter((name) => !lines.some((line) => line.startsWith(`${name}=`)));
    lines.push(...missing.map((name) => `${name}=${randomBytes(32).toString("base64url")}`));
    if (missing.length > 0) writePrivateFile(file, `${lines.join("\n")}\n`);
    return file;
  }

  /** Returns the values of the file of secrets by name. Generates those of `names` that are missing. */
  ensureSecrets<Name extends string>(names: readonly Name[]): Record<Name, string> {
    return parseEnv(readFileSync(this.ensureSecretsFile(names), "utf8")) as Record<Name, string>;
  }

  #file(name: string): string {
    return join(this.path, name);
  }
}

/** Writes a file that only its owner can read. The rename is atomic, so a crash cannot leave half a file. */
function writePrivateFile(file: string, text: string): void {
  const next = `${file}.next`;
  writeFileSync(next, text, { mode: 0o600 });
  renameSync(next, file);
}
