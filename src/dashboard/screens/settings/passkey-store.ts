import { showToast } from "../../components/toast-list.ts";
import { api, asFault, callApi, getWorkspaceHeader, type Schemas } from "../../data/calls.ts";
import { resources } from "../../data/resources.ts";
import { person } from "../../session/session.ts";

/** Passkeys of the person: reads, adds, renames and removes them. */

export type Passkey = Schemas["Passkey"];

export const PASSKEYS_KEY = "passkeys";

/** Returns true if the browser can create passkeys. */
export function canUsePasskeys(): boolean {
  return typeof globalThis.PublicKeyCredential?.parseCreationOptionsFromJSON === "function";
}

export async function readPasskeys(): Promise<Passkey[]> {
  return (await callApi(api.GET("/v1/passkeys", { params: { header: getWorkspaceHeader() } }))).data;
}

/** Lets the browser create a passkey, adds it, and shows the result. Never throws. */
export async function addPasskey(): Promise<void> {
  try {
    await createPasskey();
    showToast("Passkey added. You can now sign in with it.");
  } catch (thrown) {
    // The browser throws a `DOMException` if the person cancels.
    showToast(thrown instanceof DOMException ? "No passkey was added." : asFault(thrown).message);
  }
}

async function createPasskey(): Promise<void> {
  const params = { header: getWorkspaceHeader() };
  const { data } = await callApi(api.POST("/v1/passkeys/options", { params }));
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    data.options as unknown as PublicKeyCredentialCreationOptionsJSON,
  );
  const credential = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential;
  const response = credential.toJSON() as unknown as Record<string, unknown>;
  const body = { name: nameDevice(navigator.userAgent), state: data.state, response };
  await callApi(api.POST("/v1/passkeys", { params, body }));
  await reread();
}

export async function renamePasskey(id: string, name: string): Promise<void> {
  const params = { path: { passkey_id: id }, header: getWorkspaceHeader() };
  await callApi(api.PATCH("/v1/passkeys/{passkey_id}", { params, body: { name } }));
  await reread();
}

export async function removePasskey(id: string): Promise<void> {
  const params = { path: { passkey_id: id }, header: getWorkspaceHeader() };
  await callApi(api.DELETE("/v1/passkeys/{passkey_id}", { params }));
  await reread();
}

const DEVICES: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/iPhone|iPad/, "iPhone or iPad"],
  [/Android/, "Android device"],
  [/Mac OS X/, "Mac"],
  [/Windows/, "Windows computer"],
];

/** Returns the first name of a passkey, by the device that creates it. */
function nameDevice(userAgent: string): string {
  return DEVICES.find(([pattern]) => pattern.test(userAgent))?.[1] ?? "Computer";
}

async function reread(): Promise<void> {
  await resources.read(PASSKEYS_KEY, async () => {
    const passkeys = await readPasskeys();
    if (person.value !== null) person.value = { ...person.value, has_passkey: passkeys.length > 0 };
    return passkeys;
  });
}
