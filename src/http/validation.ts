import * as z from "zod";
import type { FieldProblem } from "../core/error.ts";
import { suggestName } from "../core/suggestion.ts";

/**
 * Converts zod issues to validation errors. Doesn't import Hono, because the command line tool validates
 * files with the same schemas.
 */

// Workers don't allow code generation from strings, which zod tries by default. Also replaces zod's messages.
z.config({ jitless: true, customError: (issue) => describeIssue(issue as z.core.$ZodRawIssue) });

/** Maximum number of problems in an error response, so that large requests don't cause large responses. */
const PROBLEMS_MAX = 100;
/** Maximum length of a field path in an error response. Also bounds the size of responses. */
const PATH_MAX_LENGTH = 256;

/** Converts zod issues to field problems, at most {@link PROBLEMS_MAX}. */
export function listProblems(issues: readonly z.core.$ZodIssue[]): [FieldProblem, ...FieldProblem[]] {
  const problems = issues.flatMap((issue): FieldProblem[] => {
    if (issue.code === "unrecognized_keys") {
      const messages = issue.message.split("\n");
      return messages.map((message, index) => ({
        field: formatFieldPath([...issue.path, issue.keys[index] as string]),
        message,
      }));
    }
    const nested = issue.code === "invalid_union" ? findIntendedIssues(issue) : null;
    if (nested !== null) {
      const within = nested.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
      return listProblems(within as z.core.$ZodIssue[]);
    }
    return [{ field: formatFieldPath(issue.path), message: issue.message }];
  });
  return problems.slice(0, PROBLEMS_MAX) as [FieldProblem, ...FieldProblem[]];
}

/** Returns the issues of the only option of a union that a value has the type of, or null. */
function findIntendedIssues({ errors }: z.core.$ZodIssueInvalidUnion): z.core.$ZodIssue[] | null {
  const intended = errors.filter((issues) => issues.every(({ path }) => path.length > 0));
  return intended.length === 1 ? (intended[0] as z.core.$ZodIssue[]) : null;
}

/** Formats a field path, such as `links[3].url`. An empty path becomes `body`; long paths are truncated. */
export function formatFieldPath(path: readonly PropertyKey[]): string {
  let field = "";
  for (const part of path) {
    if (typeof part === "number") field += `[${part}]`;
    else if (part === "") field += '[""]';
    else field += `${field === "" ? "" : "."}${String(part)}`;
  }
  if (field.length > PATH_MAX_LENGTH) return `${field.slice(0, PATH_MAX_LENGTH)}…`;
  return field === "" ? "body" : field;
}

/**
 * Returns the messages for an object's unknown names, one per line, at most {@link PROBLEMS_MAX}. Zod reports
 * all unknown names in one issue, whose schema contains the known names for suggestions.
 */
export function describeUnknownNames(
  { keys, inst }: z.core.$ZodRawIssue<z.core.$ZodIssueUnrecognizedKeys>,
  noun: "field" | "parameter",
): string {
  const knownNames = inst instanceof z.ZodObject ? Object.keys(inst.shape) : [];
  const messages = keys.slice(0, PROBLEMS_MAX).map((key) => {
    const suggestion = suggestName(key, knownNames);
    return `is not a known ${noun}${suggestion === undefined ? "" : `; did you mean \`${suggestion}\`?`}`;
  });
  return messages.join("\n");
}

/** Returns the message for an issue, or undefined if its schema defines the message itself. */
function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "is required" : `must be ${formatType(issue.expected)}`;
    case "too_big":
      return issue.origin === "number" || issue.origin === "int"
        ? `must be at most ${issue.maximum}`
        : `must have at most ${issue.maximum} ${formatUnit(issue.origin, issue.maximum)}`;
    case "too_small":
      return issue.origin === "number" || issue.origin === "int"
        ? `must be at least ${issue.minimum}`
        : `must have at least ${issue.minimum} ${formatUnit(issue.origin, issue.minimum)}`;
    case "invalid_value":
      return `must be ${issue.values.length === 1 ? "" : "one of "}${issue.values.map(String).join(", ")}`;
    case "invalid_key":
      return issue.input === "" ? "must have a name" : `has a name that ${issue.issues[0]?.message}`;
    case "invalid_union":
      return "must match one of the allowed formats";
    case "unrecognized_keys":
      return describeUnknownNames(issue, "field");
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

function formatType(type: string): string {
  return ARTICLES[type] ?? `a ${type}`;
}

function formatUnit(origin: string, count: number | bigint): string {
  const unit = origin === "string" ? "character" : origin === "array" ? "item" : "entry";
  return Number(count) === 1 ? unit : unit === "entry" ? "entries" : `${unit}s`;
}
