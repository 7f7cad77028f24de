/** Object in JSON. */
export type JsonObject = Record<string, unknown>;

/** Returns true for an object that is no array. */
export function isRecord(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns a field as text: of a text or a number, else empty. The first of the names that has one wins. */
export function readText(object: JsonObject, ...names: readonly string[]): string {
  for (const name of names) {
    const value = object[name];
    if (typeof value === "string" && value !== "") return value;
    if (typeof value === "number") return String(value);
  }
  return "";
}

/** Returns true for a field that is true, also as `1` or a word. */
export function readFlag(object: JsonObject, name: string): boolean {
  const value = object[name];
  return value === true || value === 1 || value === "1" || value === "true";
}

/** Returns a member that is an object, or an empty one. */
export function readObject(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isRecord(value) ? value : {};
}

/** Returns the members of a list that are objects. */
export function readObjects(object: JsonObject, name: string): JsonObject[] {
  const value = object[name];
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** Returns the texts of a list, or of objects in it by their `name`. */
export function readTexts(object: JsonObject, name: string): string[] {
  const value = object[name];
  if (!Array.isArray(value)) return [];
  return value
    .map((item: unknown) => (isRecord(item) ? readText(item, "name") : item))
    .filter((item) => typeof item === "string");
}

/** Returns the time of a field: text, or a number of Unix seconds or milliseconds. Null if there is none. */
export function readTime(object: JsonObject, ...names: readonly string[]): string | null {
  return readText(object, ...names) || null;
}
