const BARS = "▁▂▃▄▅▆▇█";

/** Draws numbers as bars in one line, the greatest at full height. Zero is the lowest bar. */
export function drawBars(values: readonly number[]): string {
  const greatest = Math.max(1, ...values);
  return values.map((value) => BARS[Math.ceil((value / greatest) * (BARS.length - 1))] ?? "").join("");
}
