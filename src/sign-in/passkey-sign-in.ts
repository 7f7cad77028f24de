import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import * as z from "zod";
import { readAtMost } from "../core/body.ts";
import { generateUuidv7 } from "../core/id.ts";
import type { SealSecrets } from "../core/seal.ts";
import type { Database } from "../db/database.ts";
import type { Settings } from "../env.ts";
import { describeBrowser } from "../members/browser-name.ts";
import { findPasskey, planUse } from "../members/passkeys.ts";
import { readSessionCookie } from "../members/session-cookie.ts";
import { generateSession } from "../members/sessions.ts";
import { beginProvedSession } from "./begin-session.ts";
import {
  buildRequestOptions,
  CEREMONY_MS,
  openCeremony,
  sealCeremony,
  verifyUse,
} from "./passkey-ceremony.ts";
import { claimCeremony, type SignInStates } from "./sign-in-states.ts";

/** Signs people in with passkeys. The page of the app host makes both requests. */

/** Request during a sign-in with a passkey. */
interface PasskeyVisit {
  request: Request;
  settings: Settings;
  secrets: SealSecrets;
  directory: Database;
  signInStates: SignInStates;
  nowMs: number;
  requestId: string;
}

const BODY_BYTES_MAX = 16_384;
const base64Url = z.string().regex(/^[\w-]{1,4000}$/);

/** Second request: the state from the first, and `toJSON()` of the credential that the browser used. */
const signInBody = z.object({
  state: z.string().max(2_000),
  response: z.object({
    id: base64Url,
    rawId: base64Url,
    type: z.literal("public-key"),
    response: z.object({
      clientDataJSON: base64Url,
      authenticatorData: base64Url,
      signature: base64Url,
      userHandle: base64Url.nullish(),
    }),
  }),
});

/** Starts a sign-in. Returns the options for the browser's `credentials.get()`, and the state to send back. */
export async function beginPasskeySignIn({ settings, secrets, nowMs }: PasskeyVisit) {
  const options = await buildRequestOptions(settings.appUrl);
  const state = await sealCeremony(secrets, {
    ...{ challenge: options.challenge, person: null, createdId: generateUuidv7(nowMs) },
    expiresAtMs: nowMs + CEREMONY_MS,
  });
  return { options, state };
}

/**
 * Finishes a sign-in. Returns the token of the new session, and whether there are memberships to accept. Returns
 * null if the passkey can't be used, for whatever reason.
 */
export async function finishPasskeySignIn(
  visit: PasskeyVisit,
): Promise<{ token: string; hasPending: boolean } | null> {
  const { request, settings, secrets, directory, signInStates, nowMs, requestId } = visit;
  const body = await readBody(request);
  const ceremony = body && (await openCeremony(secrets, body.state, nowMs));
  if (body === null || ceremony === null || ceremony.person !== null) return null;
  if (!(await claimCeremony(signInStates, ceremony, requestId))) return null;
  const passkey = await findPasskey(directory, body.response.id);
  if (passkey === null) return null;
  const { userHandle, ...signed } = body.response.response;
  const response = {
    ...body.response,
    response: { ...signed, ...(userHandle && { userHandle }) },
    clientExtensionResults: {},
  } satisfies AuthenticationResponseJSON;
  const nextCounter = await verifyUse(settings.appUrl, ceremony, passkey, response);
  if (nextCounter === null) return null;
  const { person, email, personName } = passkey;
  const session = { ...(await generateSession(nowMs)), id: ceremony.createdId };
  const { condition, spend } = planUse(directory, passkey, nextCounter, nowMs);
  const outcome = await beginProvedSession(
    directory,
    { person, email, name: personName },
    { operation: "signInByPasskey", provider: null, condition, spend: [spend] },
    session,
    {
      userAgent: describeBrowser(request.headers.get("User-Agent")),
      formerToken: readSessionCookie(request.headers.get("Cookie"), settings.appUrl),
      ...{ nowMs, requestId },
    },
  );
  if (outcome !== "begun" && outcome !== "pending") return null;
  return { token: session.token, hasPending: outcome === "pending" };
}

async function readBody(request: Request): Promise<z.output<typeof signInBody> | null> {
  const { bytes, isCut } = await readAtMost(request, BODY_BYTES_MAX);
  if (isCut) return null;
  try {
    return signInBody.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data ?? null;
  } catch {
    return null;
  }
}
