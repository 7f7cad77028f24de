// Pure: no I/O, clock or randomness.
import { isJsonObject, type JsonObject } from "../../core/json-object.ts";

/** Returns the first of the named fields that is a number or a non-empty string, as text. Otherwise "". */
export function readText(object: JsonObject, ...names: readonly string[]): string {
  for (const name of names) {
    const value = object[name];
    if (typeof value === "string" && value !== "") return value;
    if (typeof value === "number") return String(value);
  }
  return "";
}

/** Returns true if a field is `true`, `1`, `"1"` or `"true"`. */
export function readFlag(object: JsonObject, name: string): boolean {
  const value = object[name];
  return value === true || value === 1 || value === "1" || value === "true";
}

/** Returns a member that is an object, or an empty object. */
export function readObject(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isJsonObject(value) ? value : {};
}

/** Returns the members of a list that are objects. */
export function readObjects(object: JsonObject, name: string): JsonObject[] {
  const value = object[name];
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** Returns the strings in a list. For objects in the list, returns their `name`. */
export function readTexts(object: JsonObject, name: string): string[] {
  const value = object[name];
  if (!Array.isArray(value)) return [];
  return value
    .map((item: unknown) => (isJsonObject(item) ? readText(item, "name") : item))
    .filter((item) => typeof item === "string");
}

/** Returns a time field as text, or null. The text may be a number of Unix seconds or milliseconds. */
export function readTime(object: JsonObject, ...names: readonly string[]): string | null {
  return readText(object, ...names) || null;
}
