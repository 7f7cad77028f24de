import { randomBytes } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseEnv } from "node:util";
import type { Vars } from "../env.ts";
import { CommandError } from "./command-error.ts";

/** Root folder of the project. */
export const PROJECT = resolve(import.meta.dirname, "../..");
/** Wrangler's configuration file. */
export const CONFIG_FILE = join(PROJECT, "wrangler.toml");
const DEFAULT_STATE = join(PROJECT, ".signpost");
/** Mode of folders that other users of the machine can't open. */
const PRIVATE = { mode: 0o700 };

export const DEFAULT_PORT = 8787;

/** Version of the database layout in a state folder. Version 2 has a directory and shards. */
const LAYOUT = 2;

/** Folder of the databases and buckets. `wrangler dev --persist-to` uses this name. */
const STORAGE = "v3";
/**
 * Folder in which the first start creates the databases and buckets. If the first start was interrupted,
 * the next start deletes this folder.
 */
const UNFINISHED_STORAGE = "v3.unfinished";

/** Number of copies of the data that are kept, one from before each update. */
const COPIES_MAX = 3;

/** Where a running service accepts control requests of commands, and the headers that they need. */
export interface Control {
  url: string;
  headers: Record<string, string>;
  /** Secret of the status, if `npm start` runs the service. */
  statusToken?: string | undefined;
}

/** Values that `npm run dev` saves next to its databases and buckets. */
interface SavedValues {
  /** Version of the databases: {@link LAYOUT}. Absent in folders from before there were shards. */
  layout?: number;
  /** Port of the last start. The admin command uses it in the URLs it prints. */
  port?: number;
  /** API key of the demo workspace. Each start prints it. */
  demoKey?: string;
  /** Port of the server that receives the demo workspace's webhooks. Absent without sample data. */
  receiverPort?: number;
  /** Version of the applied migrations. */
  migrations?: string;
  /** Vars of the last `npm start`, without secrets. The admin command uses their hosts. */
  vars?: Vars | undefined;
  /** Set while a service runs. After a crash, it remains until the next start. */
  control?: Control | undefined;
}

/** Folder with all data of a local service. */
export class StateFolder {
  /** Absolute path without symbolic links, so that each folder has only one path. */
  readonly path: string;
  #storage = STORAGE;

  private constructor(path: string) {
    this.path = realpathSync(path);
  }

  /**
   * Opens a folder, and creates it if needed. Throws {@link CommandError} if an incompatible version
   * created it.
   */
  static create(path = DEFAULT_STATE): StateFolder {
    createFolder(resolve(path));
    const state = new StateFolder(path);
    state.#requireReadable();
    return state;
  }

  /** Opens the folder of an earlier start. Throws {@link CommandError} if there was none. */
  static open(path = DEFAULT_STATE): StateFolder {
    const isUnfinished = existsSync(join(path, UNFINISHED_STORAGE)) && !existsSync(join(path, STORAGE));
    if (existsSync(join(path, "start.json")) && !isUnfinished) {
      const state = new StateFolder(path);
      state.#requireReadable();
      return state;
    }
    throw new CommandError(`no local data in ${resolve(path)}; start the service first`);
  }

  /** Path of the folder with the databases and buckets. */
  get storage(): string {
    return this.#file(this.#storage);
  }

  /**
   * Returns false if the folder already has databases. Otherwise, returns true and makes {@link storage}
   * a temporary folder for new databases, until {@link finishStorage} is called.
   */
  beginStorage(): boolean {
    if (existsSync(this.storage)) {
      // Earlier versions let other users of the machine read it.
      chmodSync(this.storage, PRIVATE.mode);
      return false;
    }
    this.replaceStorage();
    return true;
  }

  /** Makes {@link storage} an empty temporary folder, which replaces the databases in {@link finishStorage}. */
  replaceStorage(): void {
    this.#storage = UNFINISHED_STORAGE;
    rmSync(this.storage, { recursive: true, force: true });
  }

  /**
   * Moves the databases from the temporary folder of {@link beginStorage} to their final folder, in one
   * step.
   */
  finishStorage(): void {
    const unfinished = this.storage;
    this.#storage = STORAGE;
    rmSync(this.storage, { recursive: true, force: true });
    chmodSync(unfinished, PRIVATE.mode);
    renameSync(unfinished, this.storage);
  }

  /**
   * Copies the databases and files to a folder named after the time, deletes all but the latest {@link COPIES_MAX}
   * copies, and returns the path. Leaves out the salt of visitor marks, which must not outlive its day.
   */
  copyStorage(): string {
    const folder = this.#file("before-updates");
    const part = this.#file("before-updates.part");
    rmSync(part, { recursive: true, force: true });
    const filter = (source: string) => !/[\\/]do[\\/][^\\/]*VisitorSalt$/.test(source);
    cpSync(this.storage, part, { recursive: true, filter });
    const copy = join(folder, new Date().toISOString().replaceAll(":", "-"));
    mkdirSync(folder, { recursive: true, ...PRIVATE });
    renameSync(part, copy);
    const copies = readdirSync(folder).sort();
    for (const name of copies.slice(0, -COPIES_MAX)) rmSync(join(folder, name), { recursive: true });
    return copy;
  }

  /** Values saved by earlier starts. */
  get saved(): SavedValues {
    const file = this.#file("start.json");
    return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  }

  /** Throws {@link CommandError} if an incompatible earlier version created the folder. */
  #requireReadable(): void {
    const isFresh = !existsSync(this.#file("start.json"));
    if (isFresh || this.saved.layout === LAYOUT) return;
    throw new CommandError(
      `${this.path} was created by an incompatible earlier version of Signpost. ` +
        "Nothing was changed. Move the folder away or choose another one with --persist-to.",
    );
  }

  /** Saves the given values and keeps the others. */
  save(change: SavedValues): void {
    const text = JSON.stringify({ layout: LAYOUT, ...this.saved, ...change }, null, 2);
    writePrivateFile(this.#file("start.json"), `${text}\n`);
  }

  /** Returns the path of the file with the Worker's secrets. Generates missing secrets. */
  ensureSecretsFile(names: readonly string[]): string {
    const file = this.#file("secrets.env");
    const lines = existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
    const missing = names.filter((name) => !lines.some((line) => line.startsWith(`${name}=`)));
    lines.push(...missing.map((name) => `${name}=${randomBytes(32).toString("base64url")}`));
    if (missing.length > 0) writePrivateFile(file, `${lines.join("\n")}\n`);
    return file;
  }

  /** Returns the Worker's secrets by name. Generates missing secrets. */
  ensureSecrets<Name extends string>(names: readonly Name[]): Record<Name, string> {
    return parseEnv(readFileSync(this.ensureSecretsFile(names), "utf8")) as Record<Name, string>;
  }

  #file(name: string): string {
    return join(this.path, name);
  }
}

/**
 * Creates a folder and its missing parents. Throws {@link CommandError} if that's impossible. Node's own recursive
 * `mkdir` runs forever below `/proc`.
 */
function createFolder(path: string): void {
  if (existsSync(path) && statSync(path).isDirectory()) return;
  if (path !== dirname(path)) createFolder(dirname(path));
  try {
    mkdirSync(path, PRIVATE);
  } catch (error) {
    const { code } = error as { code?: string };
    // Another process may have created it first.
    if (code === "EEXIST" && statSync(path).isDirectory()) return;
    throw new CommandError(`the folder ${path} can't be created (${code})`);
  }
}

/**
 * Writes a file that only its owner can read. Replaces it in one step, so that a crash can't leave half a
 * file.
 */
function writePrivateFile(file: string, text: string): void {
  const next = `${file}.next`;
  writeFileSync(next, text, { mode: 0o600 });
  renameSync(next, file);
}
