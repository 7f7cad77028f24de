import { computed, signal } from "@preact/signals";
import { navigate, path, query, setQuery } from "../address/address.ts";
import { showToast } from "../components/toast-list.ts";
import { type CallError, createOfflineFault } from "../data/call-error.ts";
import {
  api,
  bindWorkspace,
  getWorkspaceHeader,
  onFault,
  readFault,
  type Schemas,
  sessionApi,
} from "../data/calls.ts";
import { finishWork } from "../data/pending-work.ts";
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
/** Query parameter with the slug of the workspace to show. */
const WORKSPACE_PARAMETER = "workspace";

/** Loads the session and handles sign-outs and connection changes. Call it once. */
export async function startSession(): Promise<void> {
  onFault(handleFault);
  addEventListener("online", () => setOnline(true));
  addEventListener("offline", () => setOnline(false));
  await readSession();
}

/** Loads the session or redirects to sign-in. */
export async function readSession(): Promise<void> {
  sessionFault.value = null;
  const result = await sessionApi.GET("/v1/session").catch(() => null);
  if (result?.data === undefined) {
    const fault = result === null ? createOfflineFault() : readFault(result);
    if (fault?.kind === "signed-out") redirectToSignIn();
    else sessionFault.value = fault;
    return;
  }
  const { data } = result.data;
  const address = takeAddress();
  if (address !== null) navigate(address, { replace: true });
  const wanted = new URLSearchParams(query.peek()).get(WORKSPACE_PARAMETER) ?? readWorkspace();
  const shown = data.workspaces.find(({ slug }) => slug === wanted) ?? data.workspaces[0];
  const slug = shown?.slug ?? null;
  if (person.peek() !== null && slug !== workspaceSlug.peek()) return location.reload();
  if (slug !== null) keepWorkspace(slug);
  setQuery({ [WORKSPACE_PARAMETER]: null });
  bindWorkspace(slug);
  resources.clear();
  workspaceSlug.value = slug;
  person.value = data;
}

/**
 * Loads the page again for another workspace, after everything that waits has reached the current one. The
 * new page keeps the section, but neither the item nor the filters.
 */
export async function switchWorkspace(slug: string): Promise<void> {
  if (!isOnline.peek()) return showToast("You're offline. Switch workspaces when you're back online.");
  await finishWork(() => showToast("Finishing your last changes before switching…"));
  const section = path.peek().split("/")[1];
  location.assign(`/${section}?${new URLSearchParams({ [WORKSPACE_PARAMETER]: slug })}`);
}

/** Signs out and goes to the sign-in page. */
export async function signOut(): Promise<void> {
  await api.DELETE("/v1/session", { params: { header: getWorkspaceHeader() } }).catch(() => null);
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
  // The person has lost access to the workspace. Loads the page again with the next workspace, or none.
  if (fault.kind === "not-a-member") void readSession();
  if (fault.kind === "offline") setOnline(navigator.onLine);
}

function setOnline(value: boolean): void {
  isOnline.value = value;
}
