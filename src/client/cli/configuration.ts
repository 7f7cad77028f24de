import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { CommandError, EXIT } from "./exit-code.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Service and key used by commands. */
export interface Configuration {
  apiUrl: string;
  key: string;
}

/** File mode: only the owner can read and write, because the file contains a key. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** Returns the path of the configuration file according to the XDG Base Directory Specification. */
export function locateConfiguration(environment: Environment): string {
  const base = environment.XDG_CONFIG_HOME;
  // The specification requires that relative paths are ignored.
  const folder = base?.startsWith("/") ? base : join(environment.HOME ?? homedir(), ".config");
  return join(folder, "signpost", "config.json");
}

/**
 * Returns the service and the key: from the environment variables `SIGNPOST_API_URL` and `SIGNPOST_KEY`, or
 * else from the file stored by `signpost login`. Throws a {@link CommandError} if one of them is missing.
 */
export function readConfiguration(environment: Environment): Configuration {
  const stored = readStored(locateConfiguration(environment));
  const apiUrl = environment.SIGNPOST_API_URL || stored?.apiUrl;
  // A stored key is only sent to the service that it was stored for.
  const storedKey = apiUrl === stored?.apiUrl ? stored?.key : undefined;
  const key = environment.SIGNPOST_KEY || storedKey;
  if (apiUrl === undefined || key === undefined) {
    const message = "not signed in; run `signpost login`, or set SIGNPOST_API_URL and SIGNPOST_KEY";
    throw new CommandError(message, EXIT.refused);
  }
  return { apiUrl, key };
}

/** Stores the service and the key in a file that only the owner can read. Returns the file's path. */
export function storeConfiguration(environment: Environment, configuration: Configuration): string {
  const path = locateConfiguration(environment);
  mkdirSync(dirname(path), { recursive: true, mode: FOLDER_MODE });
  const part = `${path}.${process.pid}.part`;
  writeFileSync(part, `${JSON.stringify(configuration, null, 2)}\n`, { mode: FILE_MODE });
  // `writeFileSync` reduces its mode by the process's umask, and ignores it if the file exists.
  chmodSync(part, FILE_MODE);
  renameSync(part, path);
  return path;
}

/** Deletes the stored service and key. */
export function deleteConfiguration(environment: Environment): void {
  rmSync(locateConfiguration(environment), { force: true });
}

function readStored(path: string): Partial<Configuration> | null {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return null;
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandError(`${path} is not valid JSON; run \`signpost login\` to recreate it`, EXIT.usage);
  }
}
