// Pure: no I/O, clock or randomness.
import { isJsonObject } from "../core/json-object.ts";
/**
 * Applies a JSON Merge Patch (RFC 7396): objects are merged, null removes a member, and any other value, such
 * as an array, replaces the member. The arguments are JSON values and aren't changed. The recursion is as
 * deep as the patch.
 */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch;
  // Uses a map, because names such as `__proto__` are plain keys in a map. `Object.fromEntries` keeps them
  // plain.
  const members = new Map(isJsonObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) members.delete(name);
    else members.set(name, applyMergePatch(members.get(name), value));
  }
  return Object.fromEntries(members);
}

/** Returns true if the value at a path of the merged result comes from the patch, wholly or in part. */
export function isFromPatch(patch: unknown, path: readonly PropertyKey[]): boolean {
  let value = patch;
  for (const name of path) {
    if (!isJsonObject(value)) return true;
    if (!Object.hasOwn(value, name)) return false;
    value = value[name as string];
  }
  return true;
}
