// Pure: no I/O, clock or randomness.
import { DAY_MS } from "../../../core/time.ts";
import type { Schemas } from "../../data/schemas.ts";

/** Status and expiry of API keys. */

type Key = Pick<Schemas["Key"], "expires_at" | "revoked_at" | "replaced_by" | "created_by">;

/** Status label, with the colour of its badge. */
export interface KeyState {
  word: "Active" | "Expires soon" | "Creator left" | "Expired" | "Revoked" | "Rotated" | "Rotating";
  tone: "good" | "warn" | "plain";
  /** True if the API accepts the key. */
  isWorking: boolean;
}

const SOON_MS = 7 * DAY_MS;

/** Returns the status of a key at a time. A rotated key works until its overlap ends. */
export function judgeKey({ expires_at, revoked_at, replaced_by, created_by }: Key, nowMs: number): KeyState {
  const isRevoked = revoked_at !== null && Date.parse(revoked_at) <= nowMs;
  if (isRevoked)
    return { word: replaced_by === null ? "Revoked" : "Rotated", tone: "plain", isWorking: false };
  const endMs = expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(expires_at);
  if (endMs <= nowMs) return { word: "Expired", tone: "plain", isWorking: false };
  if (revoked_at !== null) return { word: "Rotating", tone: "warn", isWorking: true };
  if (created_by?.has_left) return { word: "Creator left", tone: "warn", isWorking: true };
  if (endMs - nowMs < SOON_MS) return { word: "Expires soon", tone: "warn", isWorking: true };
  return { word: "Active", tone: "good", isWorking: true };
}

/** Choices for the expiry of a new key. Numbers are days from now. The first is the default. */
export const TERMS = ["never", "30", "90", "365", "day"] as const;
export type Term = (typeof TERMS)[number];

/** Returns the expiry time, or null for never. `day` is the last valid day, for the term `day`. */
export function getTermEnd(term: Term, day: string, nowMs: number): string | null {
  if (term === "never") return null;
  if (term !== "day") return new Date(nowMs + Number(term) * DAY_MS).toISOString();
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return null;
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date + 1).toISOString();
}
