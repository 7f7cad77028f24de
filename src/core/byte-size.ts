const UNIT_BYTES = 1_024;
const UNITS = ["KiB", "MiB", "GiB", "TiB"];

/**
 * Formats a size for display, such as `1 MiB`, `32 KiB` or `1 byte` (binary units of IEC 80000-13). Rounds to
 * one decimal.
 */
export function formatBytes(sizeBytes: number): string {
  if (sizeBytes < UNIT_BYTES) return sizeBytes === 1 ? "1 byte" : `${sizeBytes} bytes`;
  let value = sizeBytes;
  let unit = "";
  for (const larger of UNITS) {
    if (value < UNIT_BYTES) break;
    value /= UNIT_BYTES;
    unit = larger;
  }
  return `${Number(value.toFixed(1))} ${unit}`;
}
