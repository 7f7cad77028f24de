import { createMcpHandler, type Tool as ListedTool, Server } from "@modelcontextprotocol/server";
import { createValidationError } from "../core/error.ts";
import { isJsonObject } from "../core/json-object.ts";
import type { Settings } from "../env.ts";
import { callAs, type InnerCaller } from "../http/inner-call.ts";
import type { Operation } from "../http/operation.ts";
import { writeOpenApiDocument } from "../openapi/document.ts";
import { hasScope } from "../permissions/scopes.ts";
import {
  ArgumentError,
  type Arguments,
  buildErrorResult,
  buildToolRequest,
  explainError,
  readToolResult,
  type ToolResult,
} from "./tool-call.ts";
import { buildTools, type CallableTool } from "./tool-schemas.ts";
import { TOOLS } from "./tools.ts";

/**
 * Serves the Model Context Protocol (https://modelcontextprotocol.io/specification) over Streamable HTTP.
 * Requests are stateless, so no session is lost when an isolate ends. A tool calls one API operation with the
 * same key, so the API's scopes, limits and validation apply.
 */

const INSTRUCTIONS =
  "Signpost creates short links with routing rules, QR codes and link-in-bio pages, and counts their scans. Find a link with list_links before you change it. Links may be printed: a deleted one stops working at once, although it can be restored for 30 days, and a changed destination takes effect everywhere within seconds.";

/** Maximum number of messages in a batch. No plan with the API allows fewer calls per second. */
const BATCH_MAX = 10;

/** MCP message from an authenticated sender. */
export interface McpMessage {
  request: Request;
  settings: Pick<Settings, "apiUrl" | "appUrl">;
  /** Returns the sender, with the last counted call. */
  getSender(): InnerCaller;
  /** Reads the request's body as JSON. */
  readBody(): Promise<unknown>;
  /** Counts one message as an API call. Returns the response to send if a limit is reached, otherwise null. */
  count(): Promise<Response | null>;
  /** Calls an API operation. */
  callApi(request: Request): Promise<Response>;
}

/** Tools of the deployment. Built by the first request. */
let tools: readonly CallableTool[] | undefined;

/**
 * Handles a message, or the messages of a batch (revision 2025-03-26). Counts each before it is checked, so
 * that failing calls use up the limits too. A model reads a reached limit as the result of its call.
 */
export async function serveMcp(message: McpMessage, operations: readonly Operation[]): Promise<Response> {
  const { request, settings } = message;
  let refusal = await message.count();
  const body = await message.readBody().catch((error) => {
    if (refusal === null) throw error;
  });
  const messages: unknown[] = Array.isArray(body) ? body : [body];
  for (const _ of messages.slice(1, BATCH_MAX)) refusal ??= await message.count();
  const isToolCall = !Array.isArray(body) && isJsonObject(body) && body.method === "tools/call";
  if (refusal !== null && !isToolCall) return refusal;
  if (messages.length === 0 || messages.length > BATCH_MAX || !messages.every(isJsonObject)) {
    const message = `must be a JSON object or a list of 1 to ${BATCH_MAX} objects`;
    throw createValidationError({ field: "body", message });
  }
  tools ??= buildTools(writeOpenApiDocument({ ...settings, operations }), TOOLS);
  const { scopes } = message.getSender().caller;
  const permitted = tools.filter(({ scope }) => hasScope(scopes, scope));
  const handler = createMcpHandler(() => createServer(message, permitted, refusal));
  return handler.fetch(request, { parsedBody: body });
}

function createServer(
  message: McpMessage,
  permitted: readonly CallableTool[],
  refusal: Response | null,
): Server {
  const server = new Server(
    { name: "signpost", title: "Signpost", version: "1.0.0" },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler("tools/list", () => ({ tools: permitted.map(describeTool) }));
  server.setRequestHandler("tools/call", ({ params: { name, arguments: given = {} } }) => {
    if (refusal !== null) return explainError(refusal);
    const tool = permitted.find((each) => each.name === name);
    return tool === undefined ? buildErrorResult(explainUnknown(name)) : callTool(message, tool, given);
  });
  return server;
}

/** Formats a tool for `tools/list`. */
function describeTool({
  name,
  title,
  description,
  inputSchema,
  outputSchema,
  scope,
  method,
  isDestructive,
  isOpenWorld,
  isWriting,
}: CallableTool): ListedTool {
  const isReadOnly = /:(?:read|render)$/.test(scope) && !isWriting;
  return {
    name,
    title,
    description,
    inputSchema: inputSchema as ListedTool["inputSchema"],
    ...(outputSchema && { outputSchema: outputSchema as NonNullable<ListedTool["outputSchema"]> }),
    annotations: {
      title,
      readOnlyHint: isReadOnly,
      destructiveHint: isDestructive === true,
      idempotentHint: isReadOnly || method !== "POST",
      openWorldHint: isOpenWorld === true,
    },
  };
}

async function callTool(
  { settings, getSender, callApi }: McpMessage,
  tool: CallableTool,
  given: Arguments,
): Promise<ToolResult> {
  try {
    const request = buildToolRequest(settings.apiUrl, tool, given);
    return await readToolResult(tool, await callApi(callAs(getSender(), request)));
  } catch (error) {
    if (error instanceof ArgumentError) return buildErrorResult(`VALIDATION_ERROR: ${error.message}`);
    throw error;
  }
}

function explainUnknown(name: string): string {
  const tool = tools?.find((each) => each.name === name);
  return tool === undefined
    ? `RESOURCE_NOT_FOUND: unknown tool; tools/list returns all tools`
    : `INSUFFICIENT_SCOPE: this key lacks the scope ${tool.scope}`;
}
