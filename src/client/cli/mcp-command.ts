import type { Command } from "commander";
import { sleep } from "../abortable-sleep.ts";
import { createRetryingFetch } from "../retrying-fetch.ts";
import { explainFailure, explainResponse } from "./api-call.ts";
import type { CommandContext } from "./command-context.ts";
import { type Configuration, readConfiguration } from "./configuration.ts";
import { CommandError } from "./exit-code.ts";

/** Parts of a JSON-RPC message that {@link bridge} uses. */
interface Message {
  id?: string | number;
  method?: string;
  params?: { name?: string; _meta?: Record<string, unknown> };
}

const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
/** JSON-RPC error codes (JSON-RPC 2.0, section 5.1). */
const INTERNAL_ERROR = -32_603;
const PARSE_ERROR = -32_700;
/** Maximum number of messages forwarded at the same time. */
const CONCURRENT_MAX = 10;

/** Adds the `mcp` command. */
export function addMcpCommand(program: Command, context: () => CommandContext): void {
  program
    .command("mcp")
    .description("run a Model Context Protocol (MCP) server over stdio")
    .action(() => bridge(context()));
}

/**
 * Forwards messages from standard input to the service and writes the responses to standard output, one
 * message per line. The tools are defined by the service, so they are always up to date.
 */
async function bridge(context: CommandContext): Promise<void> {
  const configuration = readConfiguration(context.environment);
  const send = createRetryingFetch({ fetch, sleep, random: Math.random, nowMs: Date.now });
  const underWay = new Set<Promise<void>>();
  for await (const line of context.terminal.readLines()) {
    if (line.trim() === "") continue;
    const passed = passOn(line, configuration, send, context).finally(() => underWay.delete(passed));
    underWay.add(passed);
    if (underWay.size >= CONCURRENT_MAX) await Promise.race(underWay);
  }
  await Promise.all(underWay);
}

async function passOn(
  line: string,
  configuration: Configuration,
  send: (request: Request) => Promise<Response>,
  { terminal }: CommandContext,
): Promise<void> {
  const message = parseMessage(line);
  if (message === null)
    return terminal.write(formatError(null, PARSE_ERROR, "the line is not a JSON object"));
  try {
    const response = await send(buildRequest(line, message, configuration));
    for (const text of await readMessages(response)) terminal.write(`${text}\n`);
  } catch (error) {
    if (message.id !== undefined) {
      const { message: text } = error instanceof CommandError ? error : explainFailure(error);
      terminal.write(formatError(message.id, INTERNAL_ERROR, text));
    }
  }
}

function parseMessage(line: string): Message | null {
  try {
    const message: unknown = JSON.parse(line);
    return typeof message === "object" && !Array.isArray(message) ? message : null;
  } catch {
    return null;
  }
}

/** Builds the request for a message. Headers repeat parts of the message for proxies that don't parse it. */
function buildRequest(line: string, { method, params }: Message, { apiUrl, key }: Configuration): Request {
  const version = params?._meta?.[VERSION_KEY];
  return new Request(`${apiUrl}/mcp`, {
    method: "POST",
    body: line,
    headers: {
      Authorization: `Bearer ${key}`,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      ...(typeof version === "string" && { "MCP-Protocol-Version": version, "Mcp-Method": String(method) }),
      ...(typeof version === "string" && typeof params?.name === "string" && { "Mcp-Name": params.name }),
    },
  });
}

/** Reads the messages of a response: one as JSON, or several as server-sent events. */
async function readMessages(response: Response): Promise<string[]> {
  const text = await response.text();
  if (response.headers.get("Content-Type")?.includes("text/event-stream")) {
    return text.split("\n").flatMap((part) => (part.startsWith("data:") ? [part.slice(5).trim()] : []));
  }
  const body = text === "" ? null : JSON.parse(text);
  // If the API rejects the key or the call, it returns its own error format instead of JSON-RPC.
  if (body !== null && body.jsonrpc === undefined) throw explainResponse(response.status, body);
  return body === null ? [] : [JSON.stringify(body)];
}

function formatError(id: string | number | null, code: number, message: string): string {
  return `${JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } })}\n`;
}
