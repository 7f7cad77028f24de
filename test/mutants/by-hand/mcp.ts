import { type Mutant, mutate } from "../by-hand.ts";

/** The Model Context Protocol: what a model may call, as whom, and what it is told. */
export const mutants: Mutant[] = [
  ...mutate(
    "src/mcp/tool-call.ts",
    "unit/mcp",
    ["{ ...given, ...tool.fixed }", "{ ...tool.fixed, ...given }"],
    ["!tool.pathNames.includes(name)", "true"],
    ['response.headers.get("Content-Type") ?? "image/png"', '"image/png"'],
    ["structuredContent: body }", "structuredContent: {} }"],
    ['content: [{ type: "text", text }], isError: true', 'content: [{ type: "text", text }]'],
    ["...(error?.details ?? []).map(", "...(error?.details ?? []).slice(1).map("],
    [" || !isUuid(value)", ""],
  ),
  ...mutate(
    "src/mcp/tool-schemas.ts",
    "unit/mcp",
    ["...(body?.required ?? []),", ""],
    ["required: required.filter(isOpen),", "required,"],
    ["additionalProperties: false,", ""],
    ["leaveOutFields(embedComponents(input, components))", "embedComponents(input, components)"],
    ["method: method.toUpperCase(),", "method,"],
    ['.replaceAll(`"${COMPONENTS}`, `"${DEFINITIONS}`)', ""],
  ),
  ...mutate(
    "src/mcp/serve-mcp.ts",
    "worker/mcp",
    ["messages.slice(1, BATCH_MAX)", "[]"],
    ["    ? `RESOURCE_NOT_FOUND", "    ? `INSUFFICIENT_SCOPE"],
  ),
];
