import { openAsBlob } from "node:fs";
import { stat } from "node:fs/promises";
import { SECOND_MS } from "../core/time.ts";

const POLL_MS = 5 * SECOND_MS;

/**
 * Sends a geo file to the Worker, now and after each change, also when another file replaces it. Reports a file that is
 * missing or can't be read; the Worker then keeps the last one. Returns the timer.
 */
export async function followGeoFile(
  file: string,
  send: (content: Blob) => Promise<{ ok: boolean; text(): Promise<string> }>,
  report: (message: string, level: "info" | "error") => void,
  pollMs = POLL_MS,
): Promise<NodeJS.Timeout> {
  let version: string | undefined;
  let isLoaded = false;
  const check = async () => {
    const found = await readVersion(file);
    if (found === version) return;
    version = found;
    try {
      if (found === "") throw new Error("no such file, or no access to it");
      const response = await send(await openAsBlob(file));
      const text = await response.text();
      if (!response.ok) throw new Error(text);
      isLoaded = true;
      report(`GEO_FILE: loaded ${file} (${text})`, "info");
    } catch (error) {
      const effect = isLoaded ? "the last one stays in use" : "countries are unknown until it can";
      report(`GEO_FILE: ${file} can't be used (${(error as Error).message}); ${effect}`, "error");
    }
  };
  let checking = check();
  await checking;
  return setInterval(() => {
    checking = checking.then(check);
  }, pollMs).unref();
}

/** Returns a text that changes with the file. Empty if the file can't be found. */
function readVersion(file: string): Promise<string> {
  return stat(file).then(
    ({ ino, size, mtimeMs }) => `${ino} ${size} ${mtimeMs}`,
    () => "",
  );
}
