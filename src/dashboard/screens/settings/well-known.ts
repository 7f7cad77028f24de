// Pure: no I/O, clock or randomness.

/** Documents for mobile apps (`/.well-known/…`) that a domain serves, and their validation. */

/** Maximum size of a document as JSON, the same as the API's limit. */
const DOCUMENT_MAX_BYTES = 131_072;

export interface WellKnownDocument {
  field: "apple_app_site_association" | "assetlinks";
  title: string;
  path: string;
  text: string;
  /** Required type of the JSON value. */
  shape: "object" | "array";
  example: unknown;
}

export const DOCUMENTS: readonly WellKnownDocument[] = [
  {
    field: "apple_app_site_association",
    title: "Open links in an app on iOS",
    path: "/.well-known/apple-app-site-association",
    text: "Apple fetches this file through its own servers, so changes can take up to a day.",
    shape: "object",
    example: {
      applinks: { details: [{ appIDs: ["ABCDE12345.com.example.app"], components: [{ "/": "/*" }] }] },
    },
  },
  {
    field: "assetlinks",
    title: "Open links in an app on Android",
    path: "/.well-known/assetlinks.json",
    text: "Use the fingerprint of the certificate your app is signed with.",
    shape: "array",
    example: [
      {
        relation: ["delegate_permission/common.handle_all_urls"],
        target: {
          namespace: "android_app",
          package_name: "com.example.app",
          sha256_cert_fingerprints: ["14:6D:E9:83:C5:73:06:50"],
        },
      },
    ],
  },
];

/** Result of parsing typed text: the value and its size, or an error message. */
export type ParsedDocument =
  | { value: unknown; sizeBytes: number; fault: null }
  | { value: undefined; sizeBytes: number; fault: string };

/** Parses a document. Empty text becomes null, which removes the document. */
export function parseDocument(text: string, shape: WellKnownDocument["shape"]): ParsedDocument {
  if (text.trim() === "") return { value: null, sizeBytes: 0, fault: null };
  const typedBytes = countBytes(text);
  const refuse = (fault: string, sizeBytes = typedBytes) => ({ value: undefined, sizeBytes, fault });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return refuse(`Invalid JSON: ${(error as Error).message}`);
  }
  if (shape === "object" && (typeof value !== "object" || value === null || Array.isArray(value)))
    return refuse("Must be a JSON object: { … }");
  if (shape === "array" && !isListOfObjects(value)) return refuse("Must be a JSON array of objects: [{ … }]");
  const sizeBytes = countBytes(JSON.stringify(value));
  if (sizeBytes > DOCUMENT_MAX_BYTES) return refuse("Too large: the maximum is 128 KiB", sizeBytes);
  return { value, sizeBytes, fault: null };
}

/** Formats a document for its editor. */
export function formatDocument(value: unknown): string {
  return value === null || value === undefined ? "" : JSON.stringify(value, null, 2);
}

function isListOfObjects(value: unknown): boolean {
  const isObject = (item: unknown) => typeof item === "object" && item !== null && !Array.isArray(item);
  return Array.isArray(value) && value.every(isObject);
}

function countBytes(text: string): number {
  return new TextEncoder().encode(text).byteLength;
}
