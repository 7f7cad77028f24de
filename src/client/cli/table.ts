/** Formats tables for terminals. Pure. */

export interface Column<Row> {
  title: string;
  /** Returns a row's text for this column. */
  format: (row: Row) => string;
  /** Right-aligns numbers. */
  isNumber?: boolean;
  /** Allows the column to shrink. Other columns keep their width. */
  isFlexible?: boolean;
}

const GAP = "  ";
/** Control characters. Text from other people must not move the terminal's cursor or change its title. */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}]/gu;

/** Replaces control characters in a text with spaces. */
export function cleanText(text: string): string {
  return text.replace(CONTROLS, " ");
}

/** Formats rows below the column titles, in lines of up to `width` characters if the columns can shrink. */
export function formatTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  width: number,
): string {
  const cells = rows.map((row) => columns.map(({ format }) => cleanText(format(row))));
  const lines = [columns.map(({ title }) => title.toUpperCase()), ...cells];
  const natural = columns.map((_, index) => Math.max(...lines.map((line) => measure(line[index] ?? ""))));
  const widths = shrink(
    natural,
    columns.map(({ isFlexible }) => isFlexible === true),
    width,
  );
  return lines.map((line) => `${formatLine(line, columns, widths)}\n`).join("");
}

function formatLine(
  cells: readonly string[],
  columns: readonly Column<never>[],
  widths: readonly number[],
): string {
  return cells
    .map((cell, index) => {
      const fitted = fit(cell, widths[index] ?? 0);
      const padding = " ".repeat(Math.max(0, (widths[index] ?? 0) - measure(fitted)));
      return columns[index]?.isNumber ? padding + fitted : fitted + padding;
    })
    .join(GAP)
    .trimEnd();
}

/** Shrinks flexible columns, the widest first, until the line fits or none has more than eight characters. */
function shrink(natural: readonly number[], isFlexible: readonly boolean[], width: number): number[] {
  const widths = [...natural];
  const excess = () => widths.reduce((sum, value) => sum + value + GAP.length, -GAP.length) - width;
  while (excess() > 0) {
    const flexible = widths.map((value, index) => (isFlexible[index] && value > 8 ? value : 0));
    const widest = flexible.indexOf(Math.max(...flexible));
    if (flexible[widest] === 0) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

function fit(text: string, width: number): string {
  const characters = [...text];
  return characters.length <= width ? text : `${characters.slice(0, Math.max(0, width - 1)).join("")}…`;
}

function measure(text: string): number {
  return [...text].length;
}
