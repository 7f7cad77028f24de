// Pure: no I/O, clock or randomness.
import { formatLiteral, JAVASCRIPT_LITERALS, PYTHON_LITERALS } from "./literals.ts";

/** Example request, independent of the language it's shown in. */
export interface ExampleRequest {
  /** Method in upper case. */
  method: string;
  url: string;
  /** False if the operation needs no API key. */
  hasKey: boolean;
  /** Media type of the body, or null if there is none. */
  mediaType: string | null;
  /** Body to send as JSON. Missing if there is none. */
  json?: unknown;
  /** Name of the file to send as the body, or null. */
  upload: string | null;
  /** Name of the file to save the response to, or null. */
  download: string | null;
  /** Which part of a JSON response to print: `data` of the API's envelope, everything, or nothing. */
  printed: "data" | "all" | "none";
}

/** Language of the examples, with a function that writes a request in it. */
export interface ExampleLanguage {
  id: string;
  title: string;
  format(request: ExampleRequest): string;
}

/** Languages of the examples. The first is selected by default. */
export const LANGUAGES: readonly ExampleLanguage[] = [
  { id: "curl", title: "curl", format: formatCurl },
  { id: "javascript", title: "JavaScript", format: formatJavaScript },
  { id: "python", title: "Python", format: formatPython },
];

/** Maximum length of a JSON body on one line of a shell command. */
const SHORT_BODY_LENGTH = 40;

/** Formats a request as a curl command. The API key comes from the variable `KEY`. */
function formatCurl({ method, url, hasKey, mediaType, json, upload, download }: ExampleRequest): string {
  return [
    `curl ${method === "GET" ? "" : `-X ${method} `}${url.includes("?") ? `'${url}'` : url}`,
    ...(hasKey ? [`-H "Authorization: Bearer $KEY"`] : []),
    ...(mediaType === null ? [] : [`-H 'Content-Type: ${mediaType}'`]),
    ...(json === undefined ? [] : [`-d '${formatShellJson(json)}'`]),
    ...(upload === null ? [] : [`--data-binary @${upload}`]),
    ...(download === null ? [] : ["-OJ"]),
  ].join(" \\\n  ");
}

/** Formats JSON for a single-quoted shell string. Long JSON is split into lines. */
function formatShellJson(value: unknown): string {
  const short = JSON.stringify(value);
  const json =
    short.length > SHORT_BODY_LENGTH ? JSON.stringify(value, null, 2).replaceAll("\n", "\n  ") : short;
  return json.replaceAll("'", "'\\''");
}

/** Formats a request as a Node.js module. The API key comes from the environment variable `KEY`. */
function formatJavaScript(request: ExampleRequest): string {
  const { method, url, json, upload, download, printed } = request;
  const options = [
    ...(method === "GET" ? [] : [`method: ${JSON.stringify(method)}`]),
    ...formatJavaScriptHeaders(request),
    ...(json === undefined
      ? []
      : [`body: JSON.stringify(${formatLiteral(json, JAVASCRIPT_LITERALS, "  ")})`]),
    ...(upload === null ? [] : [`body: await readFile(${JSON.stringify(upload)})`]),
  ];
  const argument = options.length === 0 ? "" : `, {\n${options.map((line) => `  ${line},\n`).join("")}}`;
  const helpers = [...(upload === null ? [] : ["readFile"]), ...(download === null ? [] : ["writeFile"])];
  return [
    ...(helpers.length === 0 ? [] : [`import { ${helpers.join(", ")} } from "node:fs/promises";`, ""]),
    `const response = await fetch(${JSON.stringify(url)}${argument});`,
    "if (!response.ok) throw new Error(await response.text());",
    ...(download === null ? [] : [`await writeFile(${JSON.stringify(download)}, response.body);`]),
    ...(printed === "data" ? ["const { data } = await response.json();", "console.log(data);"] : []),
    ...(printed === "all" ? ["console.log(await response.json());"] : []),
  ].join("\n");
}

/** Returns the `headers` option of `fetch`, or nothing if there are no headers. */
function formatJavaScriptHeaders({ hasKey, mediaType }: ExampleRequest): string[] {
  const headers = [
    ...(hasKey ? [`Authorization: \`Bearer \${process.env.KEY}\``] : []),
    ...(mediaType === null ? [] : [`"Content-Type": ${JSON.stringify(mediaType)}`]),
  ];
  if (headers.length === 0) return [];
  if (headers.length === 1) return [`headers: { ${headers[0]} }`];
  return [`headers: {\n${headers.map((header) => `    ${header},\n`).join("")}  }`];
}

/**
 * Formats a request for Python 3 and the package `requests`. The API key comes from the environment variable
 * `KEY`.
 */
function formatPython(request: ExampleRequest): string {
  const { method, url, hasKey, mediaType, json, upload, download, printed } = request;
  const headers = [
    ...(hasKey ? [`"Authorization": f"Bearer {os.environ['KEY']}"`] : []),
    // `requests` sets the header itself for a body passed as `json`.
    ...(upload === null ? [] : [`"Content-Type": ${JSON.stringify(mediaType)}`]),
  ];
  const parameters = [
    JSON.stringify(url),
    ...(headers.length === 0 ? [] : [`headers={${headers.join(", ")}}`]),
    ...(json === undefined ? [] : [`json=${formatLiteral(json, PYTHON_LITERALS, "    ")}`]),
    ...(upload === null ? [] : [`data=Path(${JSON.stringify(upload)}).read_bytes()`]),
    "timeout=30",
  ];
  const modules = [
    ...(hasKey ? ["import os"] : []),
    ...(upload === null && download === null ? [] : ["from pathlib import Path"]),
  ];
  return [
    ...(modules.length === 0 ? [] : [...modules, ""]),
    "import requests",
    "",
    `response = requests.${method.toLowerCase()}(`,
    ...parameters.map((parameter) => `    ${parameter},`),
    ")",
    "if not response.ok:",
    "    raise RuntimeError(response.text)",
    ...(download === null ? [] : [`Path(${JSON.stringify(download)}).write_bytes(response.content)`]),
    ...(printed === "data" ? ['print(response.json()["data"])'] : []),
    ...(printed === "all" ? ["print(response.json())"] : []),
  ].join("\n");
}
