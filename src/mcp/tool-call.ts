import { toBase64 } from "../core/crypto.ts";
import { type CallableTool, UNOFFERED_FIELDS } from "./tool-schemas.ts";

/** Converts tool arguments to API requests, and API responses to tool results. */

/** Arguments of a tool, as sent by a model. */
export type Arguments = Readonly<Record<string, unknown>>;

/** Tool result as defined by the protocol. */
export interface ToolResult {
  content: ({ type: "text"; text: string } | { type: "image"; data: string; mimeType: string })[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
  [key: string]: unknown;
}

/** Error in the arguments for which no request can be built. */
export class ArgumentError extends Error {}

/**
 * Builds the API request of a tool. Unknown arguments are put into the body or query, so that the API rejects
 * them by name. Throws {@link ArgumentError} if a path parameter is missing, or for fields that no tool
 * offers.
 */
export function buildToolRequest(apiUrl: string, tool: CallableTool, given: Arguments): Request {
  rejectUnoffered(given);
  const values: Arguments = { ...given, ...tool.fixed };
  const path = tool.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => formatSegment(name, values[name]));
  const url = new URL(apiUrl + path);
  const rest = Object.entries(values).filter(([name]) => !tool.pathNames.includes(name));
  const isQuery = (name: string) => !tool.hasBody || tool.queryNames.includes(name);
  for (const [name, value] of rest.filter(([name]) => isQuery(name))) {
    if (value !== undefined && value !== null) url.searchParams.set(name, formatParameter(value));
  }
  const body = Object.fromEntries(rest.filter(([name]) => !isQuery(name)));
  return new Request(url, {
    method: tool.method,
    ...(tool.hasBody && { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }),
  });
}

/**
 * Throws {@link ArgumentError} if the arguments, or items of lists in them, have a field that no tool offers.
 */
function rejectUnoffered(given: Arguments): void {
  const parts = Object.entries(given).flatMap(([name, value]): [path: string, part: unknown][] =>
    Array.isArray(value) ? value.map((item, index) => [`${name}[${index}].`, item]) : [],
  );
  for (const [path, part] of [["", given] as const, ...parts]) {
    const field = UNOFFERED_FIELDS.find(
      (name) => typeof part === "object" && part !== null && Object.hasOwn(part, name),
    );
    if (field !== undefined) throw new ArgumentError(`${path}${field}: is not a known field`);
  }
}

/**
 * Converts an API response to a tool result. Errors include the API's message, so that a model can correct
 * its call.
 */
export async function readToolResult(tool: CallableTool, response: Response): Promise<ToolResult> {
  if (!response.ok) return explainError(response);
  if (tool.isImage) {
    const data = toBase64(new Uint8Array(await response.arrayBuffer()));
    return {
      content: [{ type: "image", data, mimeType: response.headers.get("Content-Type") ?? "image/png" }],
    };
  }
  const body = (await response.json()) as Record<string, unknown>;
  return { content: [{ type: "text", text: JSON.stringify(body.data) }], structuredContent: body };
}

/** Builds the result of a call that failed. */
export function buildErrorResult(text: string): ToolResult {
  return { content: [{ type: "text", text }], isError: true };
}

/** Error envelope, limited to the fields that a model needs. */
interface ErrorBody {
  error?: { code?: string; message?: string; details?: { field: string; message: string }[] };
}

async function explainError(response: Response): Promise<ToolResult> {
  const { error }: ErrorBody = await response.json();
  const retryAfter = response.headers.get("Retry-After");
  const lines = [
    `${error?.code ?? response.status}: ${error?.message ?? "the call failed"}`,
    ...(error?.details ?? []).map(({ field, message }) => `- ${field}: ${message}`),
    ...(retryAfter === null ? [] : [`Try again in ${retryAfter} seconds.`]),
  ];
  return buildErrorResult(lines.join("\n"));
}

function formatSegment(name: string, value: unknown): string {
  if (typeof value !== "string" || value === "") throw new ArgumentError(`${name}: must be a string`);
  // The segments `.` and `..` would change the path.
  if (/^\.{1,2}$/.test(value)) throw new ArgumentError(`${name}: must be an ID`);
  return encodeURIComponent(value);
}

function formatParameter(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
