import { logError, type RequestFacts } from "../core/log.ts";
import { SECOND_MS } from "../core/time.ts";

/** Minimum time between two log lines of the same error. An error can affect every request for hours. */
const INTERVAL_MS = 10 * SECOND_MS;

/** Messages of errors that don't fail the request, or that affect many requests. */
export type RecurringError =
  | "a visit failed"
  | "a lookup in the data centre's cache failed"
  | "a write to the data centre's cache failed"
  | "a link was served from an old entry"
  | "a link could not be read"
  | "a host could not be read"
  | "a well-known document could not be read"
  | "the DNS resolver could not be reached"
  | "the name of a workspace could not be read"
  | "the change feed could not be read"
  | "a changed entry could not be deleted from the data centre's cache"
  | "the changes of a database could not be read"
  | "the limit of unknown codes failed"
  | "the scans of a limited link could not be counted"
  | "the suspended workspaces could not be read"
  | "a password could not be checked"
  | "a shared report could not be shown"
  | "a password attempt could not be subtracted"
  | "the state of a sign-in could not be claimed"
  | "the identity provider could not be used";

interface Logged {
  atMs: number;
  /** Number of unlogged errors since the last log line. */
  left: number;
}

const logged = new Map<RecurringError, Logged>();

/**
 * Logs an error. Each isolate writes at most one line per message in ten seconds, with the number of errors
 * in between.
 */
export function logRecurringError(message: RecurringError, error: unknown, facts?: RequestFacts): void {
  const nowMs = Date.now();
  const last = logged.get(message);
  if (last !== undefined && nowMs >= last.atMs && nowMs < last.atMs + INTERVAL_MS) {
    last.left += 1;
    return;
  }
  const others = last === undefined || last.left === 0 ? "" : `, and ${last.left} times before`;
  logged.set(message, { atMs: nowMs, left: 0 });
  logError(`${message}${others}`, error, facts);
}

/** Resets all state, for tests. */
export function forgetRecurringErrors(): void {
  logged.clear();
}
