import { createMcpHandler, type Tool as ListedTool, Server } from "@modelcontextprotocol/server";
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
  "Signpost creates short links with routing rules, QR codes and link-in-bio pages, and counts their scans. Find a link with list_links before you change it. Links may be printed: deleting one cannot be undone, and a changed destination takes effect everywhere within seconds.";

/** MCP message from an authenticated sender. */
export interface McpMessage {
  request: Request;
  /** Request body, parsed: a JSON object. */
  body: { method?: unknown };
  settings: Pick<Settings, "apiUrl" | "appUrl">;
  sender: InnerCaller;
  /** Counts the message as an API call. Throws if a limit is reached. */
  count(): Promise<void>;
  /** Calls an API operation. */
  callApi(request: Request): Promise<Response>;
}

/** Tools of the deployment. Built by the first request. */
let tools: readonly CallableTool[] | undefined;

export async function serveMcp(message: McpMessage, operations: readonly Operation[]): Promise<Response> {
  const { request, body, settings, sender } = message;
  // A tool call is counted when it calls the API.
  if (body.method !== "tools/call") await message.count();
  tools ??= buildTools(writeOpenApiDocument({ ...settings, operations }), TOOLS);
  const { scopes } = sender.caller;
  const permitted = tools.filter(({ scope }) => hasScope(scopes, scope));
  return createMcpHandler(() => createServer(message, permitted)).fetch(request, { parsedBody: body });
}

function createServer(message: McpMessage, permitted: readonly CallableTool[]): Server {
  const server = new Server(
    { name: "signpost", title: "Signpost", version: "1.0.0" },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler("tools/list", () => ({ tools: permitted.map(describeTool) }));
  server.setRequestHandler("tools/call", ({ params: { name, arguments: given = {} } }) => {
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
}: CallableTool): ListedTool {
  const isReadOnly = /:(?:read|render)$/.test(scope);
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
      openWorldHint: false,
    },
  };
}

async function callTool(
  { settings, sender, callApi }: McpMessage,
  tool: CallableTool,
  given: Arguments,
): Promise<ToolResult> {
  try {
    const request = buildToolRequest(settings.apiUrl, tool, given);
    return await readToolResult(tool, await callApi(callAs(sender, request)));
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
