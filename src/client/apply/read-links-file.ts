import type * as z from "zod";
import { toIso } from "../../core/time.ts";
import { formatFieldPath } from "../../http/validation.ts";
import { type LinkInFile, linksFile } from "../../links/links-file.schema.ts";
import { DEFAULTS, type DesiredLink, type ManagedFields, toLinkKey } from "./desired-link.ts";
import { type FileProblem, LinksFileError, parseSource, type SourceTree } from "./source-tree.ts";

/**
 * Reads files with links. The API's schemas validate the links and convert their values to the form in which
 * the API stores them.
 */

/**
 * Reads the links of a YAML or JSON file. Throws a {@link LinksFileError} with all problems, in file order.
 */
export function readLinksFile(text: string): DesiredLink[] {
  const source = parseSource(text);
  const { data, error } = linksFile.safeParse(source.value);
  if (data === undefined) throw new LinksFileError(sortProblems(listProblems(error?.issues ?? [], source)));
  const links = data.links.map((link, index) =>
    describeLink(link, source.locate(["links", index], "value").line),
  );
  const doubles = listDoubles(links, source);
  if (doubles.length > 0) throw new LinksFileError(doubles);
  return links;
}

function describeLink(link: LinkInFile, line: number): DesiredLink {
  const {
    code = null,
    external_id: externalId = null,
    aliases,
    password,
    has_password,
    imported_scans,
    created_at,
    ...given
  } = link;
  const values = Object.entries(given).flatMap(([name, value]) => {
    if (value === null || value === undefined) return [];
    // The schema has parsed times to Unix milliseconds.
    return [[name, name.endsWith("_at") ? toIso(Number(value)) : value]];
  });
  return {
    name: code ?? externalId ?? "",
    code,
    externalId,
    aliases: aliases ?? [],
    fields: {
      ...DEFAULTS,
      ...(Object.fromEntries(values) as ManagedFields),
      has_password: has_password === true || password != null,
    },
    passwordVariable: password?.environment ?? null,
    importedScans: imported_scans ?? 0,
    createdAt: created_at === undefined ? null : toIso(created_at),
    line,
  };
}

/** Lists the links whose code or external id an earlier link already uses. */
function listDoubles(links: readonly DesiredLink[], source: SourceTree): FileProblem[] {
  const lines = new Map<string, number>();
  return links.flatMap(({ code, externalId, line }, index) =>
    Object.entries({ code, external_id: externalId }).flatMap(([field, value]) => {
      if (value === null) return [];
      const key = `${field} ${field === "code" ? toLinkKey(value) : value}`;
      const first = lines.get(key);
      lines.set(key, first ?? line);
      if (first === undefined) return [];
      const message = `links[${index}].${field}: ${value} is also used on line ${first}`;
      return [{ ...source.locate(["links", index, field], "value"), message }];
    }),
  );
}

function listProblems(issues: readonly z.core.$ZodIssue[], source: SourceTree): FileProblem[] {
  return issues.flatMap((issue): FileProblem[] => {
    if (issue.code === "unrecognized_keys") {
      const messages = issue.message.split("\n");
      return messages.map((message, index) => {
        const path = [...issue.path, issue.keys[index] as string];
        return { ...source.locate(path, "name"), message: `${formatFieldPath(path)}: ${message}` };
      });
    }
    const position = source.locate(issue.path, "value");
    if (issue.path.length === 0) return [{ ...position, message: explainForm(source.value) }];
    return [
      {
        ...position,
        message: `${formatFieldPath(issue.path)}: ${issue.message}${suggestQuotes(issue, source.value)}`,
      },
    ];
  });
}

/** Returns the error message for a file that doesn't contain an object. */
function explainForm(value: unknown): string {
  const found =
    value === null
      ? "nothing"
      : Array.isArray(value)
        ? "a list"
        : typeof value === "string"
          ? "a string"
          : "a value";
  return `expected an object with \`version\` and \`links\`, found ${found}`;
}

/** Suggests quotes for values that YAML doesn't read as strings, such as the code 2027. */
function suggestQuotes({ code, path, ...issue }: z.core.$ZodIssue, root: unknown): string {
  if (code !== "invalid_type" || (issue as { expected?: string }).expected !== "string") return "";
  let value: unknown = root;
  for (const name of path) value = (value as Record<PropertyKey, unknown> | null | undefined)?.[name];
  return typeof value === "number" || typeof value === "boolean" ? `; put quotes around ${value}` : "";
}

function sortProblems(problems: readonly FileProblem[]): FileProblem[] {
  return [...problems].sort((one, other) => one.line - other.line || one.column - other.column);
}
