import type { OperationObject, Parameter } from "../openapi/objects.ts";
import type { ExampleRequest } from "./request-code.ts";

/** Operation of the OpenAPI document with its method and path. */
export interface OperationEntry {
  method: string;
  path: string;
  operation: OperationObject;
}

/** Extensions of the files that operations return. */
const EXTENSIONS: Record<string, string> = {
  "image/svg+xml": "svg",
  "text/csv": "csv",
  "text/html": "html",
};

/** Name of the file in examples of uploads. */
const UPLOADED_FILE = "menu.pdf";

/** Builds the example of a request from the examples of the operation: required parameters and the body. */
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

/** Returns the media type of an uploaded file. A signed URL repeats it in `type`. */
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
