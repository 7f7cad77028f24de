import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import css from "./flag.module.css";

type Drawings = typeof import("./flag-drawings.ts")["FLAG_DRAWINGS"];

/** Drawings of all flags, which are loaded when the first flag is shown. */
const drawings = signal<Drawings>({});

async function loadDrawings(): Promise<void> {
  try {
    drawings.value = (await import("./flag-drawings.ts")).FLAG_DRAWINGS;
  } catch {
    // Without the drawings, the codes of the countries stay visible.
  }
}

/** Flag of a country, shown before the country's name. Systems such as Windows have no emoji of flags. */
export function Flag({ country }: { country: string }) {
  useEffect(() => void loadDrawings(), []);
  const drawing = drawings.value[country];
  return (
    <span class={css.flag} aria-hidden="true">
      {drawing === undefined ? country : <img src={toDataUrl(drawing)} alt="" width={18} height={18} />}
    </span>
  );
}

function toDataUrl(drawing: string): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512">${drawing}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
