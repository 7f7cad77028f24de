// Pure: no I/O, clock or randomness.
import { DAY_MS } from "../core/time.ts";

/** Time for which deleted items can be restored. */
export const KEPT_MS = 30 * DAY_MS;
/** Maximum number of items in the trash of a workspace, by kind. */
export const ITEMS_MAX = 10_000;
