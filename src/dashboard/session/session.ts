import { computed, signal } from "@preact/signals";
import { navigate } from "../address/address.ts";
import { type ApiFault, createOfflineFault } from "../data/api-fault.ts";
import { api, onFault, readFault, type Schemas, setCallWorkspace } from "../data/calls.ts";
import { resources } from "../data/resources.ts";
import { applyTheme, readTheme, storeTheme, type ThemeChoice } from "./theme-choice.ts";
import { keepAddress, keepWorkspace, readWorkspace, takeAddress } from "./workspace-path.ts";

/** Person who is signed in, and what the dashboard shows to them. */

/** Person who is signed in, with all workspaces. */
export type Person = Schemas["CurrentSession"];

/** Null until the session is read. */
export const person = signal<Person | null>(null);
/** Reason for which the session could not be read, or null. */
export const sessionFault = signal<ApiFault | null>(null);
const workspaceSlug = signal<string | null>(null);

/** Workspace that is shown. Null if the person has none. */
export const workspace = computed(
  () => person.value?.workspaces.find(({ slug }) => slug === workspaceSlug.value) ?? null,
);
/** True if the person may change things. */
export const canEdit = computed(() => workspace.value !== null && workspace.value.role !== "viewer");

export const isOnline = signal(navigator.onLine);
export const theme = signal<ThemeChoice>(readTheme());

const SIGN_IN_PATH = "/sign-in";

/** Reads the session, and follows what happens to it and to the connection. Call it once. */
export async function startSession(): Promise<void> {
  onFault(handleFault);
  addEventListener("online", () => setOnline(true));
  addEventListener("offline", () => setOnline(false));
  await readSession();
  const address = person.peek() === null ? null : takeAddress();
  if (address !== null) navigate(address, { replace: true });
}

/** Reads who is signed in. Leads to the sign-in if nobody is. */
export async function readSession(): Promise<void> {
  sessionFault.value = null;
  // Without a workspace, the session tells all of the person's.
  setCallWorkspace(null);
  const result = await api.GET("/v1/session").catch(() => null);
  if (result?.data === undefined) {
    const fault = result === null ? createOfflineFault() : readFault(result);
    if (fault?.kind === "signed-out") leadToSignIn();
    else sessionFault.value = fault;
    return;
  }
  const { data } = result.data;
  const last = readWorkspace();
  const shown = data.workspaces.find(({ slug }) => slug === last) ?? data.workspaces[0];
  showWorkspace(shown?.slug ?? null);
  person.value = data;
}

/** Shows another workspace. What was read of the former one is forgotten. */
export function showWorkspace(slug: string | null): void {
  if (slug !== null) keepWorkspace(slug);
  setCallWorkspace(slug);
  resources.clear();
  workspaceSlug.value = slug;
}

/** Ends the session. */
export async function signOut(): Promise<void> {
  const header = { "X-SVC-Workspace": workspaceSlug.peek() ?? "" };
  await api.DELETE("/v1/session", { params: { header } }).catch(() => null);
  location.assign(SIGN_IN_PATH);
}

/** Shows the dashboard in a theme, also at later visits. */
export function chooseTheme(choice: ThemeChoice): void {
  theme.value = choice;
  applyTheme(choice);
  storeTheme(choice);
}

/** Leads to the sign-in, from where the person comes back to this address. */
function leadToSignIn(): void {
  keepAddress(location.pathname + location.search);
  location.assign(SIGN_IN_PATH);
}

function handleFault(fault: ApiFault): void {
  if (fault.kind === "signed-out") leadToSignIn();
  // The list of workspaces has changed: the screen of the next one is shown, or none.
  if (fault.kind === "not-a-member") void readSession();
  if (fault.kind === "offline") setOnline(navigator.onLine);
}

function setOnline(value: boolean): void {
  isOnline.value = value;
}
