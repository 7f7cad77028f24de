const BARS = "▁▂▃▄▅▆▇█";

/** Draws numbers as bars on one line. The largest number has full height, and zero is the lowest bar. */
export function drawBars(values: readonly number[]): string {
  const greatest = Math.max(1, ...values);
  return values.map((value) => BARS[Math.ceil((value / greatest) * (BARS.length - 1))] ?? "").join("");
}
