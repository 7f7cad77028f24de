import { logRecurringError } from "../caching/recurring-errors.ts";
import { repeatOnce } from "../db/retry.ts";
import type { PasswordTries } from "../limits/password-tries.ts";
import { CEREMONY_MS, type Ceremony } from "./passkey-ceremony.ts";

/** Objects that let the state of each sign-in return once. */
export interface SignInStates {
  getByName(name: string): Pick<PasswordTries, "claim">;
}

/**
 * Returns true for the first request that claims a state. Also returns true if the object fails, which is logged:
 * then the primary key of what the state may create still prevents a second use.
 */
export async function claimState(
  states: SignInStates,
  name: string,
  requestId: string,
  periodMs: number,
): Promise<boolean> {
  try {
    const state = states.getByName(`sign-in:${name}`);
    return await repeatOnce(async () => state.claim(requestId, periodMs));
  } catch (error) {
    logRecurringError("the state of a sign-in could not be claimed", error);
    return true;
  }
}

/** Returns true for the first request that ends a passkey ceremony. */
export function claimCeremony(
  states: SignInStates,
  { createdId }: Ceremony,
  requestId: string,
): Promise<boolean> {
  return claimState(states, createdId, requestId, CEREMONY_MS);
}
