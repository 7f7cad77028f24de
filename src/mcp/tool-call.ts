import { toBase64 } from "../core/crypto.ts";
import { type CallableTool, UNOFFERED_FIELDS } from "./tool-schemas.ts";

/** Translation between tools and the API: arguments to requests, responses to results. */

/** Arguments of a tool, as a model sent them. */
export type Arguments = Readonly<Record<string, unknown>>;

/** Result of a tool in the form of the protocol. */
export interface ToolResult {
  content: ({ type: "text"; text: string } | { type: "image"; data: string; mimeType: string })[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
  [key: string]: unknown;
}

/** Fault of the arguments that no request can express. */
export class ArgumentError extends Error {}

/**
 * Builds the request of a tool's operation. What the operation does not know goes into its body or query, so that the
 * API refuses it by name. Throws an {@link ArgumentError} for a missing part of the path, and for fields that no tool offers.
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

/** Throws an {@link ArgumentError} if the arguments, or items of a list in them, have a field that no tool offers. */
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

/** Turns the response of an operation into a result. Errors say what the API says, so that a model can mend its call. */
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

/** Envelope of an error, as far as a model needs it. */
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
  if (typeof value !== "string" || value === "") throw new ArgumentError(`${name}: must be a text`);
  // A segment of dots would lead to another path.
  if (/^\.{1,2}$/.test(value)) throw new ArgumentError(`${name}: must be an id`);
  return encodeURIComponent(value);
}

function formatParameter(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
