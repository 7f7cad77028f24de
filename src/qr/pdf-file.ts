// Pure: no I/O, clock or randomness.
import { concatBytes, toBytes } from "./bytes.ts";

/** Writes PDF files (ISO 32000-1). */

export interface PdfObject {
  /** Entries of the dictionary, in PDF syntax. */
  entries: string;
  /** Bytes of the stream, for a stream object. */
  stream?: Uint8Array;
}

// The second line has bytes above 127, so that programs treat the file as binary when transferring it
// (section 7.5.2).
const HEADER = "%PDF-1.4\n%\xe2\xe3\xcf\xd3\n";

/** Writes a PDF file object by object, so that a long file needn't fit into memory. */
export class PdfWriter {
  readonly #write: (bytes: Uint8Array) => void;
  /** Offset of each object by its number. */
  readonly #offsets: number[] = [];
  #length = 0;

  constructor(write: (bytes: Uint8Array) => void) {
    this.#write = write;
    this.#emit(toBytes(HEADER));
  }

  /** Adds an object. Numbers start at 1, in any order and without gaps. Object 1 is the document catalogue. */
  add(number: number, object: PdfObject): void {
    this.#offsets[number - 1] = this.#length;
    for (const part of writeObject(number, object)) this.#emit(part);
  }

  /** Writes the end of the file. */
  finish(): void {
    this.#emit(toBytes(writeTrailer(this.#offsets, this.#length)));
  }

  #emit(bytes: Uint8Array): void {
    this.#write(bytes);
    this.#length += bytes.length;
  }
}

/** Writes a PDF file. Objects are numbered from 1 in order. The first must be the document catalogue. */
export function writePdf(objects: readonly PdfObject[]): Uint8Array {
  const parts: Uint8Array[] = [];
  const writer = new PdfWriter((part) => parts.push(part));
  for (const [index, object] of objects.entries()) writer.add(index + 1, object);
  writer.finish();
  return concatBytes(parts);
}

function writeObject(number: number, { entries, stream }: PdfObject): Uint8Array[] {
  if (stream === undefined) return [toBytes(`${number} 0 obj\n<< ${entries} >>\nendobj\n`)];
  const head = `${number} 0 obj\n<< ${entries} /Length ${stream.length} >>\nstream\n`;
  return [toBytes(head), stream, toBytes("\nendstream\nendobj\n")];
}

/** Writes the cross-reference table with its 20-byte entries, and the trailer (sections 7.5.4 and 7.5.5). */
function writeTrailer(offsets: readonly number[], tableOffset: number): string {
  const count = offsets.length + 1;
  const entries = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`);
  return (
    `xref\n0 ${count}\n0000000000 65535 f \n${entries.join("")}` +
    `trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${tableOffset}\n%%EOF\n`
  );
}
