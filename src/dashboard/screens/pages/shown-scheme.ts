import { theme } from "../../session/session.ts";
import type { Scheme } from "./frame-document.ts";

/** Returns the dashboard's current colour scheme, which previews of pages use by default. */
export function readShownScheme(): Scheme {
  if (theme.value !== "system") return theme.value;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}
