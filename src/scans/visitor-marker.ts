import { fromHex } from "../core/crypto.ts";
import { logError } from "../core/log.ts";
import { DAY_MS, SECOND_MS } from "../core/time.ts";
import { withTimeout } from "../core/timeout.ts";
import type { MarkVisitor } from "../counting/window.ts";
import { formatMark } from "./visitor-mark.ts";
import type { VisitorSalt } from "./visitor-salt.ts";

/** Time that a scan waits for the salt. Its request has already been answered. */
const SALT_TIMEOUT_MS = 5 * SECOND_MS;
/** Time after a failure during which scans are recorded without a mark. */
const RETRY_MS = 10 * SECOND_MS;

/** Number of characters of a user agent that count. Bounds the memory of a window, and browsers don't send more. */
const AGENT_MAX_LENGTH = 1_000;

const encoder = new TextEncoder();

/** Visitor of a request, as far as a mark depends on it. */
export interface MarkedVisitor {
  address: string | null;
  userAgent: string | null;
}

/** Key of the marks of one day. */
interface DayKey {
  day: number;
  key: CryptoKey;
}

/**
 * Computes visitor marks: the first 30 bits of the HMAC of a visitor's address and user agent under the salt
 * of the UTC day. The salt is read once a day and isolate. Once it is deleted, a mark can't be traced back
 * to an address, not even by trying all addresses.
 */
export class VisitorMarker {
  #key: DayKey | null = null;
  #reading: Promise<DayKey | null> | null = null;
  #retryAtMs = Number.NEGATIVE_INFINITY;

  /**
   * Returns a function that computes the mark of a visitor. The mark is an empty string if the salt can't be read, so
   * that counting visitors never makes a scan fail.
   */
  markLater(
    namespace: DurableObjectNamespace<VisitorSalt>,
    { address, userAgent }: MarkedVisitor,
    nowMs: number,
  ): MarkVisitor {
    const agent = userAgent?.slice(0, AGENT_MAX_LENGTH) ?? "";
    return () => this.#mark(namespace, `${address ?? ""}\n${agent}`, nowMs);
  }

  async #mark(
    namespace: DurableObjectNamespace<VisitorSalt>,
    visitor: string,
    nowMs: number,
  ): Promise<string> {
    const day = Math.floor(nowMs / DAY_MS);
    const key = this.#key?.day === day ? this.#key : await this.#readKey(namespace, nowMs);
    // Around midnight, the clock of the object may still be in the previous day.
    if (key?.day !== day) return "";
    return formatMark(new Uint8Array(await crypto.subtle.sign("HMAC", key.key, encoder.encode(visitor))));
  }

  #readKey(namespace: DurableObjectNamespace<VisitorSalt>, nowMs: number): Promise<DayKey | null> {
    if (nowMs < this.#retryAtMs) return Promise.resolve(null);
    this.#reading ??= fetchKey(namespace)
      .then((key) => {
        this.#key = key;
        return key;
      })
      .catch((error: unknown) => {
        this.#retryAtMs = nowMs + RETRY_MS;
        logError(
          "the salt of visitors could not be read, so some scans are counted without a visitor",
          error,
        );
        return null;
      })
      .finally(() => {
        this.#reading = null;
      });
    return this.#reading;
  }
}

async function fetchKey(namespace: DurableObjectNamespace<VisitorSalt>): Promise<DayKey> {
  const reading = namespace.getByName("salt").getSalt();
  const { day, salt } = await withTimeout(Promise.resolve(reading), SALT_TIMEOUT_MS);
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  return { day, key: await crypto.subtle.importKey("raw", fromHex(salt), algorithm, false, ["sign"]) };
}
