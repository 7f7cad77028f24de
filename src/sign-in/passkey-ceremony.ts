import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { deriveSealKey, type SealSecrets, seal, unseal } from "../core/seal.ts";
import { MINUTE_MS } from "../core/time.ts";
import type { Passkey } from "../members/passkeys.ts";

/**
 * Ceremonies that create and use passkeys (WebAuthn Level 3 section 7, https://www.w3.org/TR/webauthn-3/). A ceremony
 * has two requests. Between them, the browser keeps the sealed state that the second one needs.
 */

/** Time between the two requests of a ceremony. */
export const CEREMONY_MS = 5 * MINUTE_MS;
const KEY_PURPOSE = "passkey ceremony";

/** State between the two requests of a ceremony. Only Signpost can create it. */
export interface Ceremony {
  challenge: string;
  /** Account that gets the passkey. Null for a sign-in. */
  person: string | null;
  /** Id of the passkey or the session that the ceremony may create once. */
  createdId: string;
  expiresAtMs: number;
}

/** Person who adds a passkey. */
export interface PasskeyOwner {
  person: string;
  email: string;
  name: string;
}

const RELYING_PARTY = "Signpost";

/** Loads the library at its first use, because it would slow down the start of every isolate. */
const loadLibrary = () => import("@simplewebauthn/server");
const loadBase64Url = async () => (await import("@simplewebauthn/server/helpers")).isoBase64URL;

/** Returns the options for the browser's `credentials.create()`. */
export async function buildCreationOptions(
  appUrl: string,
  owner: PasskeyOwner,
  existing: readonly Passkey[],
) {
  const { generateRegistrationOptions } = await loadLibrary();
  return generateRegistrationOptions({
    rpName: RELYING_PARTY,
    rpID: getRelyingPartyId(appUrl),
    userID: await hashPerson(owner.person),
    userName: owner.email,
    userDisplayName: owner.name,
    attestationType: "none",
    timeout: CEREMONY_MS,
    excludeCredentials: existing.map(({ credentialId }) => ({ id: credentialId })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
}

/** Returns the options for the browser's `credentials.get()`. The browser offers its passkeys for this deployment. */
export async function buildRequestOptions(appUrl: string) {
  const { generateAuthenticationOptions } = await loadLibrary();
  return generateAuthenticationOptions({
    rpID: getRelyingPartyId(appUrl),
    userVerification: "required",
    timeout: CEREMONY_MS,
  });
}

/** Seals the state of a ceremony. */
export async function sealCeremony(secrets: SealSecrets, ceremony: Ceremony): Promise<string> {
  return seal(await deriveSealKey(secrets, KEY_PURPOSE), JSON.stringify(ceremony), KEY_PURPOSE);
}

/** Opens a sealed state. Returns null if it was altered, has expired, or is of another deployment. */
export async function openCeremony(
  secrets: SealSecrets,
  sealed: string,
  nowMs: number,
): Promise<Ceremony | null> {
  const key = await deriveSealKey(secrets, KEY_PURPOSE);
  const text = await unseal(key, sealed, KEY_PURPOSE).catch(() => null);
  if (text === null) return null;
  const ceremony = JSON.parse(text) as Ceremony;
  return nowMs < ceremony.expiresAtMs ? ceremony : null;
}

/** Credential that a browser has created. */
export type NewCredential = Pick<Passkey, "credentialId" | "publicKey" | "counter" | "transports">;

/** Verifies the browser's response to the creation of a passkey. Returns null if it can't be trusted. */
export async function verifyCreation(
  appUrl: string,
  { challenge }: Ceremony,
  response: unknown,
): Promise<NewCredential | null> {
  const { verifyRegistrationResponse } = await loadLibrary();
  const isoBase64URL = await loadBase64Url();
  const result = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: appUrl,
    expectedRPID: getRelyingPartyId(appUrl),
    requireUserVerification: true,
  }).catch(() => null);
  if (result?.verified !== true) return null;
  const { id, publicKey, counter, transports = [] } = result.registrationInfo.credential;
  return {
    credentialId: id,
    publicKey: isoBase64URL.fromBuffer(publicKey),
    counter,
    transports: [...transports],
  };
}

/**
 * Verifies the browser's response to a sign-in with a passkey, and returns the passkey's next counter. Returns null
 * if the response can't be trusted, also because its counter shows that the passkey was cloned.
 */
export async function verifyUse(
  appUrl: string,
  { challenge }: Ceremony,
  passkey: Passkey,
  response: AuthenticationResponseJSON,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await loadLibrary();
  const isoBase64URL = await loadBase64Url();
  const { userHandle } = response.response;
  if (userHandle !== undefined && userHandle !== isoBase64URL.fromBuffer(await hashPerson(passkey.person)))
    return null;
  const result = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: appUrl,
    expectedRPID: getRelyingPartyId(appUrl),
    requireUserVerification: true,
    credential: {
      id: passkey.credentialId,
      publicKey: isoBase64URL.toBuffer(passkey.publicKey),
      counter: passkey.counter,
    },
  }).catch(() => null);
  return result?.verified === true ? result.authenticationInfo.newCounter : null;
}

/** Returns the relying party id: the app host without its port. */
function getRelyingPartyId(appUrl: string): string {
  return new URL(appUrl).hostname;
}

/** Returns the user handle of an account, which must not contain personal data (WebAuthn section 14.6.1). */
async function hashPerson(person: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(person)));
}
