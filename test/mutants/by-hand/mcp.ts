import { type Mutant, mutate } from "../by-hand.ts";

const MCP = "test/unit/mcp.test.ts";
const WORKER_MCP = "test/worker/mcp.test.ts";

/** The Model Context Protocol: what a model may call, as whom, and what it is told. */
export const mutants: Mutant[] = [
  ...mutate(
    "src/mcp/tool-call.ts",
    MCP,
    ["{ ...given, ...tool.fixed }", "{ ...tool.fixed, ...given }"],
    ["!tool.pathNames.includes(name)", "true"],
    ['response.headers.get("Content-Type") ?? "image/png"', '"image/png"'],
    ["structuredContent: body }", "structuredContent: {} }"],
    ['content: [{ type: "text", text }], isError: true', 'content: [{ type: "text", text }]'],
    ["...(error?.details ?? []).map(", "...(error?.details ?? []).slice(1).map("],
    [" || !isUuid(value)", ""],
    ["rejectUnoffered(value, member);", ""],
  ),
  ...mutate(
    "src/mcp/tool-schemas.ts",
    MCP,
    ["...(body?.required ?? []),", ""],
    ["required: required.filter(isOpen),", "required,"],
    ["additionalProperties: false,", ""],
    ["leaveOutFields(embedComponents(input, components))", "embedComponents(input, components)"],
    ["method: method.toUpperCase(),", "method,"],
    ['.replaceAll(`"${COMPONENTS}`, `"${DEFINITIONS}`)', ""],
  ),
  ...mutate(
    "src/mcp/serve-mcp.ts",
    WORKER_MCP,
    ["if (refusal === null) throw error;", "throw error;"],
    ["messages.slice(1, BATCH_MAX)", "[]"],
    ["if (refusal !== null && !isToolCall) return refusal;", ""],
    ["    if (refusal !== null) return explainError(refusal);\n", ""],
    ["messages.length > BATCH_MAX ||", ""],
    ["return tool === undefined ? buildErrorResult(explainUnknown(name)) :", "return"],
    ["    ? `RESOURCE_NOT_FOUND", "    ? `INSUFFICIENT_SCOPE"],
  ),
];
