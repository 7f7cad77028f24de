/** Keeps the requested URL and the last workspace in browser storage, so that they survive a sign-in. */

const ADDRESS_KEY = "signpost-address";
const WORKSPACE_KEY = "signpost-workspace";

/** Stores the URL that was requested before signing in. */
export function keepAddress(address: string): void {
  write(sessionStorage, ADDRESS_KEY, address);
}

/** Returns the stored URL and removes it. */
export function takeAddress(): string | null {
  const address = read(sessionStorage, ADDRESS_KEY);
  if (address !== null) sessionStorage.removeItem(ADDRESS_KEY);
  // Only accepts paths on this host. A path that begins with `//` would go to another host.
  return address !== null && /^\/(?!\/)/.test(address) ? address : null;
}

/** Stores the workspace of this tab, which is also the first one of new tabs. */
export function keepWorkspace(slug: string): void {
  for (const storage of [sessionStorage, localStorage]) write(storage, WORKSPACE_KEY, slug);
}

export function readWorkspace(): string | null {
  return read(sessionStorage, WORKSPACE_KEY) ?? read(localStorage, WORKSPACE_KEY);
}

function read(storage: Storage, key: string): string | null {
  try {
    return storage.getItem(key);
  } catch {
    return null;
  }
}

function write(storage: Storage, key: string, value: string): void {
  try {
    storage.setItem(key, value);
  } catch {
    // Without storage, nothing is kept.
  }
}
