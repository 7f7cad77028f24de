// Pure: no I/O, clock or randomness.
import { concatBytes } from "../../qr/bytes.ts";
import { crc32 } from "../../qr/png-file.ts";

/**
 * Writes ZIP archives (PKWARE APPNOTE 6.3.10) file by file. Files are stored without compression, because PNG and PDF
 * files are compressed already. Equal files make an equal archive, because all have the earliest date of the format.
 */

const LOCAL_SIGNATURE = 0x04034b50;
const CENTRAL_SIGNATURE = 0x02014b50;
const END_SIGNATURE = 0x06054b50;
const VERSION_NEEDED = 20;
/** Bit 11: the name is UTF-8 (section 4.4.4). */
const UTF8_NAME = 0x0800;
/** 1 January 1980 (section 4.4.6). */
const EARLIEST_DATE = 0x0021;
/** Maximum number of files of an archive without the ZIP64 extension (section 4.4.1.4). */
export const ZIP_FILES_MAX = 65_534;
const OFFSET_MAX = 0xffff_ffff;

/** Thrown if an archive would need the ZIP64 extension. */
export class ZipTooLargeError extends Error {
  override name = "ZipTooLargeError";
}

export class ZipWriter {
  readonly #write: (bytes: Uint8Array) => void;
  /** Entries of the directory at the end of the archive. */
  readonly #entries: Uint8Array[] = [];
  #length = 0;

  constructor(write: (bytes: Uint8Array) => void) {
    this.#write = write;
  }

  /** Adds a file. Names are unique and use `/` between folders. */
  add(name: string, content: Uint8Array): void {
    const nameBytes = new TextEncoder().encode(name);
    const offset = this.#length;
    if (this.#entries.length >= ZIP_FILES_MAX || offset + content.length > OFFSET_MAX)
      throw new ZipTooLargeError("the archive would exceed 65,534 files or 4 GB");
    // Fields that the local header and the entry of the directory share, from "version needed" to the extra length.
    const shared = packFields(
      [2, VERSION_NEEDED],
      [2, UTF8_NAME],
      [2, 0],
      [2, 0],
      [2, EARLIEST_DATE],
      [4, crc32(content)],
      [4, content.length],
      [4, content.length],
      [2, nameBytes.length],
      [2, 0],
    );
    this.#emit(packFields([4, LOCAL_SIGNATURE]), shared, nameBytes, content);
    const place = packFields([2, 0], [2, 0], [2, 0], [4, 0], [4, offset]);
    const entry = [packFields([4, CENTRAL_SIGNATURE], [2, VERSION_NEEDED]), shared, place, nameBytes];
    this.#entries.push(concatBytes(entry));
  }

  /** Writes the directory, which ends the archive. */
  finish(): void {
    const offset = this.#length;
    this.#emit(...this.#entries);
    const count = this.#entries.length;
    const size = this.#length - offset;
    this.#emit(
      packFields([4, END_SIGNATURE], [2, 0], [2, 0], [2, count], [2, count], [4, size], [4, offset], [2, 0]),
    );
  }

  #emit(...parts: readonly Uint8Array[]): void {
    for (const part of parts) {
      this.#write(part);
      this.#length += part.length;
    }
  }
}

/** Packs little-endian numbers of 2 or 4 bytes. */
function packFields(...fields: readonly [bytes: 2 | 4, value: number][]): Uint8Array {
  const packed = new Uint8Array(fields.reduce((sum, [bytes]) => sum + bytes, 0));
  const view = new DataView(packed.buffer);
  let at = 0;
  for (const [bytes, value] of fields) {
    if (bytes === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += bytes;
  }
  return packed;
}
