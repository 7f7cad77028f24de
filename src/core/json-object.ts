/** JSON object: neither null nor an array. */
export type JsonObject = Record<string, unknown>;

/** Returns true for JSON objects. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
