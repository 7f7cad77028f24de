import { generateUuidv7 } from "../core/id.ts";

/**
 * Generates an account that proves no email address. It has no `@`, so it never equals the account of an email
 * address.
 */
export function generateAccount(nowMs: number): string {
  return `account:${generateUuidv7(nowMs)}`;
}

/** Returns the email address that an account has proved, or null for an account of {@link generateAccount}. */
export function getProvedEmail(person: string): string | null {
  return person.includes("@") ? person : null;
}
