import { toBase64 } from "../core/crypto.ts";
import { isUuid } from "../core/id.ts";
import { formatFieldPath } from "../http/validation.ts";
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

/** Throws {@link ArgumentError} if the arguments have a field that no tool offers, at any depth. */
function rejectUnoffered(given: unknown, path: readonly PropertyKey[] = []): void {
  if (typeof given !== "object" || given === null) return;
  for (const [key, value] of Object.entries(given)) {
    const member = [...path, Array.isArray(given) ? Number(key) : key];
    if (UNOFFERED_FIELDS.includes(key))
      throw new ArgumentError(`${formatFieldPath(member)}: is not a known field`);
    rejectUnoffered(value, member);
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
  const { untrusted } = tool;
  if (untrusted === undefined) {
    return { content: [{ type: "text", text: JSON.stringify(body.data) }], structuredContent: body };
  }
  const text = JSON.stringify({ untrusted, data: body.data });
  return { content: [{ type: "text", text }], structuredContent: { untrusted, ...body } };
}

/** Builds the result of a call that failed. */
export function buildErrorResult(text: string): ToolResult {
  return { content: [{ type: "text", text }], isError: true };
}

/** Error envelope, limited to the fields that a model needs. */
interface ErrorBody {
  error?: { code?: string; message?: string; details?: { field: string; message: string }[] };
}

/** Converts an error of the API to a tool result. */
export async function explainError(response: Response): Promise<ToolResult> {
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
  // Other text could name another operation, such as the export at `/v1/links/export`.
  if (typeof value !== "string" || !isUuid(value)) throw new ArgumentError(`${name}: must be a UUID`);
  return value;
}

function formatParameter(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
