import { theme } from "../../session/session.ts";
import type { Scheme } from "./frame-document.ts";

/** Returns the look of the dashboard, which pictures of pages follow. */
export function readShownScheme(): Scheme {
  if (theme.value !== "system") return theme.value;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}
