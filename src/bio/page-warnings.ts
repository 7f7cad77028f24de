import * as z from "zod";
import { suggestName } from "../core/suggestion.ts";
import { formatFieldPath } from "../http/validation.ts";
import { type PageData, type PageDataPatch, pageData } from "./bio.schema.ts";
import { isFromPatch } from "./merge-patch.ts";
import { toFieldPath } from "./page-data.ts";
import { THEMES } from "./theme-registry.ts";

/** Maximum number of unknown fields listed in a response, so that the response has a bounded size. */
const WARNINGS_MAX = 20;
/** Maximum length of a theme name in a warning. */
const NAME_MAX_LENGTH = 50;

/**
 * Returns a warning for each part of page data that is kept but has no effect: unknown fields and an unknown
 * theme. With a patch, only for parts that come from the patch.
 */
export function listPageWarnings(data: PageData, patch?: PageDataPatch): string[] {
  const isMeant = (path: PropertyKey[]) => patch === undefined || isFromPatch(patch, path);
  const unknown = [...findUnknownFields(pageData, data, [])].filter(({ path }) => isMeant(path));
  const fields = unknown.slice(0, WARNINGS_MAX).map(({ path, suggestion }) => {
    const field = formatFieldPath(toFieldPath(path, patch));
    return `${field} is not a known field: it is stored, but has no effect${formatSuggestion(suggestion)}`;
  });
  const moreCount = unknown.length - fields.length;
  return [
    ...(isMeant(["theme"]) ? listThemeWarnings(data, patch) : []),
    ...fields,
    ...(moreCount === 0 ? [] : [`page_data has ${moreCount} more unknown fields.`]),
  ];
}

function listThemeWarnings({ theme }: PageData, patch: PageDataPatch | undefined): string[] {
  if (theme === undefined || THEMES.has(theme)) return [];
  const field = formatFieldPath(toFieldPath(["theme"], patch));
  const name = theme.length > NAME_MAX_LENGTH ? `${theme.slice(0, NAME_MAX_LENGTH).toWellFormed()}…` : theme;
  const suggestion = suggestName(theme, [...THEMES.keys()]);
  return [
    `${field} "${name}" is not a known theme: it is stored, but shown as auto${formatSuggestion(suggestion)}`,
  ];
}

interface UnknownField {
  path: PropertyKey[];
  /** Known field that was probably meant. */
  suggestion: string | undefined;
}

/** Finds fields that aren't in the schema. Doesn't search inside unknown fields. */
function* findUnknownFields(
  schema: unknown,
  value: unknown,
  path: readonly PropertyKey[],
): Generator<UnknownField> {
  if (schema instanceof z.ZodOptional) yield* findUnknownFields(schema.unwrap(), value, path);
  else if (schema instanceof z.ZodArray && Array.isArray(value)) {
    for (const [index, item] of value.entries())
      yield* findUnknownFields(schema.element, item, [...path, index]);
  } else if (schema instanceof z.ZodObject && typeof value === "object" && value !== null) {
    const knownNames = Object.keys(schema.shape);
    for (const [name, member] of Object.entries(value)) {
      if (knownNames.includes(name)) yield* findUnknownFields(schema.shape[name], member, [...path, name]);
      else yield { path: [...path, name], suggestion: suggestName(name, knownNames) };
    }
  }
}

function formatSuggestion(suggestion: string | undefined): string {
  return suggestion === undefined ? "." : `; did you mean \`${suggestion}\`?`;
}
