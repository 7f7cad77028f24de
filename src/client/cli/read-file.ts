import { closeSync, openSync, readSync } from "node:fs";
import { formatBytes } from "../../core/byte-size.ts";
import { CommandError, EXIT } from "./exit-code.ts";
import type { Terminal } from "./terminal.ts";

/** Bytes per read. */
const CHUNK_BYTES = 1_048_576;

/**
 * Reads a file, or standard input for `-`. Throws a {@link CommandError} if it can't be read or has more than
 * `bytesMax` bytes. Stops reading soon after the limit, because the path may be an endless device.
 */
export async function readBytes(path: string, terminal: Terminal, bytesMax: number): Promise<Uint8Array> {
  const bytes = path === "-" ? await terminal.readInput(bytesMax) : readFromDisk(path, bytesMax);
  if (bytes.length > bytesMax) {
    const name = path === "-" ? "standard input" : path;
    throw new CommandError(`${name} is too large; expected at most ${formatBytes(bytesMax)}`, EXIT.usage);
  }
  return bytes;
}

/** Reads a file until its end, or until more than `bytesMax` bytes have been read. */
function readFromDisk(path: string, bytesMax: number): Uint8Array {
  try {
    const file = openSync(path, "r");
    try {
      const chunks: Uint8Array[] = [];
      for (let length = 0; length <= bytesMax; ) {
        const chunk = Buffer.alloc(CHUNK_BYTES);
        const size = readSync(file, chunk);
        if (size === 0) break;
        chunks.push(chunk.subarray(0, size));
        length += size;
      }
      return Buffer.concat(chunks);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw new CommandError(`${path} cannot be read: ${(error as Error).message}`, EXIT.usage);
  }
}
