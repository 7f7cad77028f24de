/** Time until the object URL is revoked. Browsers have certainly started to read the file by then. */
const KEPT_MS = 60_000;

/** Downloads a generated file. */
export function saveFile(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(URL.revokeObjectURL, KEPT_MS, link.href);
}

/** Downloads lines as a CSV file. */
export function saveCsv(name: string, lines: readonly string[]): void {
  saveFile(name, new Blob([...lines], { type: "text/csv" }));
}
