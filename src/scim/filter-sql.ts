import { and, eq, isNotNull, isNull, not, or, type SQL, sql } from "drizzle-orm";
import { isUnkeptPath } from "./scim-attributes.ts";
import { createInputError, type ScimError } from "./scim-error.ts";
import type { Comparison, Filter, FilterValue } from "./scim-filter.ts";

/** Column that stores an attribute. `fold` normalizes a value in the same way as the stored values. */
export type FilterColumn =
  | { type: "text"; column: SQL; fold?: (text: string) => string }
  | { type: "boolean"; column: SQL }
  | { type: "time"; column: SQL }
  /** Part of the values of a multi-valued attribute. `matches` returns true if one value meets a condition. */
  | { type: "part"; column: FilterColumn; matches: (condition: SQL) => SQL }
  /** Standard attribute that isn't stored. Nothing matches it. */
  | { type: "unkept" }
  /** Set of strings. Conditions match single members. */
  | { type: "set"; contains: (value: string) => SQL; isNotEmpty: SQL };

/** Columns by attribute path in lower case. */
export type FilterColumns = Readonly<Record<string, FilterColumn>>;

/**
 * Converts a filter to an SQL condition with bound values. Throws `invalidFilter` for unsupported
 * comparisons.
 */
export function buildCondition(filter: Filter, columns: FilterColumns): SQL {
  switch (filter.kind) {
    case "and":
      return and(...filter.filters.map((part) => buildCondition(part, columns))) as SQL;
    case "or":
      return or(...filter.filters.map((part) => buildCondition(part, columns))) as SQL;
    case "not":
      // A comparison with a null column is null, and so is its negation.
      return not(sql`coalesce(${buildCondition(filter.filter, columns)}, 0)`);
    case "element":
      return buildElementCondition(filter.path, filter.filter, columns);
    case "present":
      return buildPresence(findColumn(columns, filter.path));
    case "comparison":
      return buildComparison(findColumn(columns, filter.path), filter.comparison, filter.value);
  }
}

/** Builds the condition that one value of a multi-valued attribute meets a whole filter. */
function buildElementCondition(path: string, filter: Filter, columns: FilterColumns): SQL {
  const attribute = Object.hasOwn(columns, path) ? columns[path] : undefined;
  if (attribute?.type !== "part") return buildCondition(filter, columns);
  const parts = Object.entries(columns).flatMap(([name, part]) =>
    part.type === "part" && name.startsWith(`${path}.`) ? [[name, part.column] as const] : [],
  );
  return attribute.matches(buildCondition(filter, Object.fromEntries(parts)));
}

function findColumn(columns: FilterColumns, path: string): FilterColumn {
  // Uses `Object.hasOwn`, because a filter may contain paths such as `constructor`.
  const column = Object.hasOwn(columns, path) ? columns[path] : undefined;
  if (column !== undefined) return column;
  if (isUnkeptPath(path)) return { type: "unkept" };
  const names = Object.keys(columns).join(", ");
  throw createFilterError(`contains an attribute that cannot be filtered. Supported attributes: ${names}`);
}

function buildPresence(target: FilterColumn): SQL {
  switch (target.type) {
    case "set":
      return target.isNotEmpty;
    case "part":
      return target.matches(buildPresence(target.column));
    case "unkept":
      return sql`false`;
    default:
      return sql`(${target.column} is not null and ${target.column} <> '')`;
  }
}

function buildComparison(target: FilterColumn, comparison: Comparison, value: FilterValue): SQL {
  switch (target.type) {
    case "text":
      return compareText(target.column, comparison, value, target.fold);
    case "boolean":
      return compareBoolean(target.column, comparison, value);
    case "time":
      return compareTime(target.column, comparison, value);
    case "set":
      return compareSet(target, comparison, value);
    case "part":
      return target.matches(buildComparison(target.column, comparison, value));
    case "unkept":
      return sql`false`;
  }
}

function compareText(
  column: SQL,
  comparison: Comparison,
  value: FilterValue,
  fold?: (text: string) => string,
): SQL {
  if (value === null) {
    if (comparison === "eq") return isNull(column);
    if (comparison === "ne") return isNotNull(column);
    throw createFilterError("can only compare with null using `eq` or `ne`");
  }
  const text = fold === undefined ? String(value) : fold(String(value));
  // Uses instr and substr instead of LIKE, because values may contain the wildcards of LIKE.
  switch (comparison) {
    case "eq":
      return eq(column, text);
    case "ne":
      return sql`${column} is not ${text}`;
    case "co":
      return sql`instr(${column}, ${text}) > 0`;
    case "sw":
      return sql`substr(${column}, 1, length(${text})) = ${text}`;
    case "ew":
      return sql`(length(${column}) >= length(${text}) and substr(${column}, length(${column}) - length(${text}) + 1) = ${text})`;
    default:
      return sql`${column} ${OPERATORS[comparison]} ${text}`;
  }
}

const OPERATORS = { gt: sql`>`, ge: sql`>=`, lt: sql`<`, le: sql`<=` } as const;

function compareBoolean(column: SQL, comparison: Comparison, value: FilterValue): SQL {
  const word = String(value).toLowerCase();
  if ((comparison !== "eq" && comparison !== "ne") || (word !== "true" && word !== "false")) {
    throw createFilterError("can only compare a boolean with true or false, using `eq` or `ne`");
  }
  const isTrue = (word === "true") === (comparison === "eq");
  return eq(column, isTrue ? 1 : 0);
}

/** Matches the start of a date-time (RFC 7643 section 2.3.5). `Date.parse` also accepts texts such as "5". */
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T/;

function compareTime(column: SQL, comparison: Comparison, value: FilterValue): SQL {
  const ms = DATE_TIME.test(String(value)) ? Date.parse(String(value)) : Number.NaN;
  const operators = { ...OPERATORS, eq: sql`=`, ne: sql`<>` };
  if (Number.isNaN(ms) || !Object.hasOwn(operators, comparison)) {
    throw createFilterError("compares a date-time with an invalid value or with a text operator");
  }
  return sql`${column} ${operators[comparison as keyof typeof operators]} ${ms}`;
}

function compareSet(
  { contains }: Extract<FilterColumn, { type: "set" }>,
  comparison: Comparison,
  value: FilterValue,
): SQL {
  if (comparison !== "eq" || typeof value !== "string") {
    throw createFilterError("can only compare members with an id, using `eq`");
  }
  return contains(value);
}

function createFilterError(problem: string): ScimError {
  return createInputError("invalidFilter", `The filter ${problem}.`);
}
