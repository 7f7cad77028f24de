import { computed, signal } from "@preact/signals";
import { navigate } from "../address/address.ts";
import { type CallError, createOfflineFault } from "../data/call-error.ts";
import { api, onFault, readFault, type Schemas, setCallWorkspace } from "../data/calls.ts";
import { resources } from "../data/resources.ts";
import { applyTheme, readTheme, storeTheme, type ThemeChoice } from "./theme-choice.ts";
import { keepAddress, keepWorkspace, readWorkspace, takeAddress } from "./workspace-path.ts";

/** Holds the signed-in person, the current workspace and the theme. */

/** Signed-in person with all their workspaces. */
export type Person = Schemas["CurrentSession"];

/** Null until the session is loaded. */
export const person = signal<Person | null>(null);
/** Reason why the session couldn't be loaded, or null. */
export const sessionFault = signal<CallError | null>(null);
const workspaceSlug = signal<string | null>(null);

/** Current workspace. Null until the session is loaded, and if the person has no workspace. */
export const workspace = computed(
  () => person.value?.workspaces.find(({ slug }) => slug === workspaceSlug.value) ?? null,
);
/** True if the person's role allows changes in the workspace. */
export const canEdit = computed(() => workspace.value !== null && workspace.value.role !== "viewer");

export const isOnline = signal(navigator.onLine);
export const theme = signal<ThemeChoice>(readTheme());

const SIGN_IN_PATH = "/sign-in";

/** Loads the session and handles sign-outs and connection changes. Call it once. */
export async function startSession(): Promise<void> {
  onFault(handleFault);
  addEventListener("online", () => setOnline(true));
  addEventListener("offline", () => setOnline(false));
  await readSession();
  const address = person.peek() === null ? null : takeAddress();
  if (address !== null) navigate(address, { replace: true });
}

/** Loads the session or redirects to sign-in. */
export async function readSession(): Promise<void> {
  sessionFault.value = null;
  // Without a workspace header, the session contains all workspaces of the person.
  setCallWorkspace(null);
  const result = await api.GET("/v1/session").catch(() => null);
  if (result?.data === undefined) {
    const fault = result === null ? createOfflineFault() : readFault(result);
    if (fault?.kind === "signed-out") redirectToSignIn();
    else sessionFault.value = fault;
    return;
  }
  const { data } = result.data;
  const last = readWorkspace();
  const shown = data.workspaces.find(({ slug }) => slug === last) ?? data.workspaces[0];
  showWorkspace(shown?.slug ?? null);
  person.value = data;
}

/** Switches to another workspace and clears the cached data of the previous one. */
export function showWorkspace(slug: string | null): void {
  if (slug !== null) keepWorkspace(slug);
  setCallWorkspace(slug);
  resources.clear();
  workspaceSlug.value = slug;
}

/** Signs out and goes to the sign-in page. */
export async function signOut(): Promise<void> {
  const header = { "X-SVC-Workspace": workspaceSlug.peek() ?? "" };
  await api.DELETE("/v1/session", { params: { header } }).catch(() => null);
  location.assign(SIGN_IN_PATH);
}

/** Applies a theme and stores it for later visits. */
export function chooseTheme(choice: ThemeChoice): void {
  theme.value = choice;
  applyTheme(choice);
  storeTheme(choice);
}

/** Goes to the sign-in page. After signing in, the person returns to the current URL. */
function redirectToSignIn(): void {
  keepAddress(location.pathname + location.search);
  location.assign(SIGN_IN_PATH);
}

function handleFault(fault: CallError): void {
  if (fault.kind === "signed-out") redirectToSignIn();
  // The person has lost access to the workspace. Shows the next workspace, or none.
  if (fault.kind === "not-a-member") void readSession();
  if (fault.kind === "offline") setOnline(navigator.onLine);
}

function setOnline(value: boolean): void {
  isOnline.value = value;
}
