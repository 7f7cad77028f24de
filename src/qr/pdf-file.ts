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

/** Writes a PDF file. Objects are numbered from 1 in order. The first must be the document catalogue. */
export function writePdf(objects: readonly PdfObject[]): Uint8Array {
  const parts = [toBytes(HEADER)];
  const offsets: number[] = [];
  let length = HEADER.length;
  for (const [index, object] of objects.entries()) {
    offsets.push(length);
    for (const part of writeObject(index + 1, object)) {
      parts.push(part);
      length += part.length;
    }
  }
  parts.push(toBytes(writeTrailer(offsets, length)));
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
