/** Keys of the browser's storage that survive a sign-in. */

const ADDRESS_KEY = "signpost-address";
const WORKSPACE_KEY = "signpost-workspace";

/** Keeps the address that somebody wanted to see before signing in. */
export function keepAddress(address: string): void {
  write(sessionStorage, ADDRESS_KEY, address);
}

/** Takes the kept address, once. */
export function takeAddress(): string | null {
  const address = read(sessionStorage, ADDRESS_KEY);
  if (address !== null) sessionStorage.removeItem(ADDRESS_KEY);
  // Only paths of this host: `//` would be another one.
  return address !== null && /^\/(?!\/)/.test(address) ? address : null;
}

/** Remembers the workspace that was shown last. */
export function keepWorkspace(slug: string): void {
  write(localStorage, WORKSPACE_KEY, slug);
}

/** Returns the slug of the workspace that was shown last, or null. */
export function readWorkspace(): string | null {
  return read(localStorage, WORKSPACE_KEY);
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
    // Without storage, nothing is remembered.
  }
}
