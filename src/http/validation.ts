import { zValidator } from "@hono/zod-validator";
import type { MiddlewareHandler } from "hono";
import * as z from "zod";
import { type FieldFault, invalid } from "../core/error.ts";
import type { ApiEnv } from "./context.ts";

// Workers forbid building code from strings, so zod need not try; and its messages become this API's own wording.
z.config({ jitless: true, customError: (issue) => describe(issue as z.core.$ZodRawIssue) });

/** Validates the query or the JSON body of a request by a schema; a fault becomes a `VALIDATION_ERROR`. */
export function validate(target: "query" | "json", schema: z.ZodObject): MiddlewareHandler<ApiEnv> {
  const wording = target === "query" ? { error: describeRepeated } : {};
  return zValidator(
    target,
    schema,
    (result) => {
      if (!result.success) throw invalid(...listFaults(result.error.issues as z.core.$ZodIssue[]));
    },
    { validationFunction: (_, value) => schema.safeParse(value, wording) },
  ) as MiddlewareHandler<ApiEnv>;
}

/** A query parameter that is given twice arrives as an array. */
function describeRepeated({ input }: z.core.$ZodRawIssue): string | undefined {
  return Array.isArray(input) ? "must be given once" : undefined;
}

/** Of the faults of one input, and of the characters of one field's path: no answer grows with what was sent. */
const FAULTS_MAX = 100;
const PATH_MAX_LENGTH = 256;

/** The faults of a failed parse, by the path of their field: the first {@link FAULTS_MAX}. */
export function listFaults(issues: readonly z.core.$ZodIssue[]): [FieldFault, ...FieldFault[]] {
  const faults = issues.flatMap((issue): FieldFault[] => {
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => ({
        field: fieldPath([...issue.path, key]),
        message: "is not a known field",
      }));
    }
    return [{ field: fieldPath(issue.path), message: issue.message }];
  });
  return faults.slice(0, FAULTS_MAX) as [FieldFault, ...FieldFault[]];
}

/** `links[3].url`; `body` for the whole. A long one is cut. */
export function fieldPath(path: readonly PropertyKey[]): string {
  let field = "";
  for (const part of path) {
    if (typeof part === "number") field += `[${part}]`;
    else if (part === "") field += '[""]';
    else field += `${field === "" ? "" : "."}${String(part)}`;
  }
  if (field.length > PATH_MAX_LENGTH) return `${field.slice(0, PATH_MAX_LENGTH)}…`;
  return field === "" ? "body" : field;
}

function describe(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "is required" : `must be ${withArticle(issue.expected)}`;
    case "too_big":
      return issue.origin === "number" || issue.origin === "int"
        ? `must be at most ${issue.maximum}`
        : `must have at most ${issue.maximum} ${unitOf(issue.origin, issue.maximum)}`;
    case "too_small":
      return issue.origin === "number" || issue.origin === "int"
        ? `must be at least ${issue.minimum}`
        : `must have at least ${issue.minimum} ${unitOf(issue.origin, issue.minimum)}`;
    case "invalid_value":
      return `must be ${issue.values.length === 1 ? "" : "one of "}${issue.values.map(String).join(", ")}`;
    case "invalid_key":
      return issue.input === "" ? "must have a name" : `has a name that ${issue.issues[0]?.message}`;
    case "invalid_union":
      return "has none of the permitted forms";
    default:
      return undefined;
  }
}

const ARTICLES: Record<string, string> = {
  array: "an array",
  object: "an object",
  record: "an object",
  int: "a whole number",
};

function withArticle(type: string): string {
  return ARTICLES[type] ?? `a ${type}`;
}

function unitOf(origin: string, count: number | bigint): string {
  const unit = origin === "string" ? "character" : origin === "array" ? "item" : "entry";
  return Number(count) === 1 ? unit : unit === "entry" ? "entries" : `${unit}s`;
}
