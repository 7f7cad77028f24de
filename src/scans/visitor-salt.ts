import { DurableObject } from "cloudflare:workers";
import { toHex } from "../core/crypto.ts";
import { DAY_MS, HOUR_MS } from "../core/time.ts";

/** Salt of one UTC day. `day` is the number of days since 1970-01-01. */
export interface DailySalt {
  day: number;
  /** 32 random bytes in hexadecimal digits. */
  salt: string;
}

const SALT_KEY = "salt";
const SALT_BYTES = 32;

/**
 * Holds the salt that visitor marks are computed with. There is one object for all isolates. It creates a new
 * salt for each UTC day, in place of the previous one, and deletes it an hour after the day if no call
 * replaced it. The class has the key-value storage of Durable Objects, because storage with SQLite keeps
 * a copy of deleted values for 30 days
 * (https://developers.cloudflare.com/durable-objects/api/sqlite-storage-api/#pitr-point-in-time-recovery-api).
 */
export class VisitorSalt extends DurableObject {
  /** Returns the salt of the current UTC day. */
  async getSalt(): Promise<DailySalt> {
    const { storage } = this.ctx;
    const day = Math.floor(Date.now() / DAY_MS);
    const stored = await storage.get<DailySalt>(SALT_KEY);
    // A stored day can only be later if the object moved to a machine whose clock is slightly behind.
    if (stored !== undefined && stored.day >= day) return stored;
    const created = { day, salt: toHex(crypto.getRandomValues(new Uint8Array(SALT_BYTES))) };
    await storage.put(SALT_KEY, created);
    await storage.setAlarm((day + 1) * DAY_MS + HOUR_MS);
    return created;
  }

  /** Deletes the salt of a day that is over. */
  override async alarm(): Promise<void> {
    const { storage } = this.ctx;
    const stored = await storage.get<DailySalt>(SALT_KEY);
    if (stored !== undefined && stored.day < Math.floor(Date.now() / DAY_MS)) await storage.deleteAll();
  }
}
