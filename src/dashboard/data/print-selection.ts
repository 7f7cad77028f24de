import { signal } from "@preact/signals";
import type { Schemas } from "./calls.ts";

/** Links selected in a list, for which the QR studio creates codes. Empty until links are passed on. */
export const printSelection = signal<readonly Schemas["Link"][]>([]);
