/** Time after which a browser has surely begun to read a file that was made for a download. */
const KEPT_MS = 60_000;

/** Saves a file as a download. */
export function saveFile(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(URL.revokeObjectURL, KEPT_MS, link.href);
}

/** Saves lines of CSV as a download. */
export function saveCsv(name: string, lines: readonly string[]): void {
  saveFile(name, new Blob([...lines], { type: "text/csv" }));
}
