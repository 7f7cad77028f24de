import type { OperationObject, Parameter } from "../openapi/objects.ts";
import type { ExampleRequest } from "./request-code.ts";

/** Operation of the OpenAPI document, with its method and path. */
export interface OperationEntry {
  method: string;
  path: string;
  operation: OperationObject;
}

/** File extensions by media type, for operations that return files. */
const EXTENSIONS: Record<string, string> = {
  "image/svg+xml": "svg",
  "text/csv": "csv",
  "text/html": "html",
};

/** File name used in upload examples. */
const UPLOADED_FILE = "menu.pdf";

/**
 * Builds an example request from the operation's own examples. The request has the required parameters and
 * the body.
 */
export function buildExampleRequest(entry: OperationEntry, apiUrl: string): ExampleRequest {
  const { method, operation } = entry;
  const content = operation.requestBody?.content ?? {};
  const json = content["application/json"]?.example;
  const isUpload = content["*/*"] !== undefined;
  return {
    method: method.toUpperCase(),
    url: `${apiUrl}${buildExamplePath(entry)}`,
    hasKey: operation.security?.length !== 0,
    mediaType: json === undefined ? findUploadType(operation, isUpload) : "application/json",
    ...(json !== undefined && { json }),
    upload: isUpload ? UPLOADED_FILE : null,
    ...describeResult(entry),
  };
}

function buildExamplePath({ path, operation: { parameters = [] } }: OperationEntry): string {
  const filled = parameters
    .filter((parameter) => parameter.in === "path")
    .reduce((text, parameter) => text.replace(`{${parameter.name}}`, getExample(parameter)), path);
  const query = parameters
    .filter((parameter) => parameter.in === "query" && parameter.required)
    .map((parameter) => `${parameter.name}=${getExample(parameter)}`);
  return query.length === 0 ? filled : `${filled}?${query.join("&")}`;
}

function getExample({ schema }: Parameter): string {
  return String(schema.examples?.[0] ?? schema.enum?.[0] ?? "");
}

/** Returns the media type of an uploaded file, which the `type` parameter of a signed URL contains too. */
function findUploadType({ parameters = [] }: OperationObject, isUpload: boolean): string | null {
  if (!isUpload) return null;
  const type = parameters.find(({ name }) => name === "type");
  return type === undefined ? "application/octet-stream" : getExample(type);
}

function describeResult({ path, operation }: OperationEntry): Pick<ExampleRequest, "download" | "printed"> {
  const success = Object.entries(operation.responses).find(([status]) => status.startsWith("2"));
  const [mediaType] = Object.keys(success?.[1].content ?? {});
  if (mediaType === undefined) return { download: null, printed: "none" };
  if (mediaType !== "application/json") {
    const name = path.split("/").at(-1);
    return { download: `${name}.${EXTENSIONS[mediaType] ?? "bin"}`, printed: "none" };
  }
  const example = success?.[1].content?.[mediaType]?.example;
  const hasEnvelope = typeof example === "object" && example !== null && "data" in example;
  return { download: null, printed: hasEnvelope ? "data" : "all" };
}
