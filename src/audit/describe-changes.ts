import { getTableColumns, is, SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { ResourceType } from "./resource-type.ts";

/**
 * How a log shows a column:
 * - `value`: as it is. JSON columns are shown as JSON.
 * - `large`: a value as it is, or only its size if that exceeds {@link VALUE_MAX_BYTES}.
 * - `json`: a text column with JSON, as `large`.
 * - `restorable`: the old value as it is, and the new value as `large`. So each value is stored once: when it
 *   is replaced or deleted.
 * - `time`: Unix milliseconds as ISO 8601.
 * - `is_set`: true if there is a value, otherwise false.
 * - `secret`: only that the value was replaced, with {@link HIDDEN} for both values.
 */
type Form = "value" | "large" | "json" | "restorable" | "time" | "is_set" | "secret";

/** Forms whose values are replaced by their size if they are too large. */
const BOUNDED: readonly Form[] = ["large", "json", "restorable"];

/** Maximum size of a `large` value that is shown in full. */
export const VALUE_MAX_BYTES = 2_048;

/** Placeholder for secrets. */
export const HIDDEN = "…";

/** Field of a resource: its column, and how the log shows it. */
export interface AuditedField<Name extends string = string> {
  column: Name;
  form: Form;
}

/** Returns a field that is shown in another form than `value`. */
export function shownAs<Name extends string>(form: Form, column: Name): AuditedField<Name> {
  return { column, form };
}

type ColumnName<Table extends SQLiteTable> = keyof Table["$inferSelect"] & string;

/** Resource whose changes are logged: its table and its logged fields, by their public names. */
export interface AuditedResource<Table extends SQLiteTable = SQLiteTable> {
  type: ResourceType;
  table: Table;
  id: SQLiteColumn;
  fields: Readonly<Record<string, AuditedField<ColumnName<Table>>>>;
}

/** Defines a resource. Each field is the name of its column, or the result of {@link shownAs}. */
export function defineResource<Table extends SQLiteTable & { id: SQLiteColumn }>(
  type: ResourceType,
  table: Table,
  fields: Readonly<Record<string, ColumnName<Table> | AuditedField<ColumnName<Table>>>>,
): AuditedResource<Table> {
  const described = Object.entries(fields).map(([name, field]) => [
    name,
    typeof field === "string" ? shownAs("value", field) : field,
  ]);
  return { type, table, id: table.id, fields: Object.fromEntries(described) };
}

/** Values before and after a change, for fields that are stored outside the resource's table. */
export type OtherFields = Readonly<Record<string, readonly [before: SQL, after: SQL]>>;

/** Description of a change, to be logged in the same batch as the change. */
export interface Change {
  resourceType: ResourceType;
  /**
   * Select with one row per changed resource: `resource_id`, `changes`, and the size of the resource as `bytes`.
   */
  rows: SQL;
  /** True if the change is made even if the workspace has used up its budget, see `tenant/write-budget.ts`. */
  isAlwaysAllowed?: true;
  /**
   * True if a repeated request would log the change again, because the values don't show that it was already
   * made. Such a change is logged only once per request.
   */
  isRepeatable?: true;
}

/** Describes the creation of resources. Write the log after inserting them. */
export function created(
  resource: AuditedResource,
  condition: SQL | undefined,
  others: OtherFields = {},
): Change {
  const entries = Object.entries(resource.fields).flatMap(([name, { column, form }]) => {
    if (form === "secret") return [];
    return [compare(name, sql`null`, showColumn(getColumn(resource, column), form))];
  });
  return selectRows(resource, condition, [...entries, ...compareOthers(others)]);
}

/**
 * Describes the deletion of resources, which is always allowed. Write the log before deleting them. A permanent
 * deletion doesn't move them to the trash.
 */
export function deleted(
  resource: AuditedResource,
  condition: SQL | undefined,
  { isPermanent = false } = {},
): Change {
  const entries = Object.entries(resource.fields).flatMap(([name, { column, form }]) => {
    if (form === "secret") return [];
    return [compare(name, showFormer(getColumn(resource, column), form), sql`null`)];
  });
  const permanence = isPermanent ? { permanent: [sql`json('false')`, sql`json('true')`] as const } : {};
  const all = [...entries, ...compareOthers(permanence)];
  return { ...selectRows(resource, condition, all), isAlwaysAllowed: true };
}

/** New values of columns: values, or SQL expressions over the row in the form in which the column stores them. */
export type ColumnChanges<Table extends SQLiteTable> = {
  [Name in keyof Table["$inferSelect"]]?: Table["$inferSelect"][Name] | SQL;
};

/**
 * Describes an update of columns. Write the log before the update, in the same batch, so that the log
 * contains the values that the update replaces, even if another request changed them shortly before. Values
 * that stay the same are not logged. `from` names further tables to which the columns and the condition refer.
 */
export function updated<Table extends SQLiteTable>(
  resource: AuditedResource<Table>,
  condition: SQL | undefined,
  columns: ColumnChanges<Table>,
  others: OtherFields = {},
  from: SQLWrapper = resource.table,
): Change {
  const values: Record<string, unknown> = columns;
  const entries = Object.entries(resource.fields).flatMap(([name, { column, form }]) => {
    const value = values[column];
    return value === undefined ? [] : [compareColumn(name, getColumn(resource, column), form, value)];
  });
  const newBytes = Object.values(resource.fields).map(({ column }) =>
    measureValue(toDriver(getColumn(resource, column), values[column] ?? null)),
  );
  const all = [...entries, ...compareOthers(others)];
  const changes = selectRows(resource, condition, all, { newBytes, from });
  return { ...changes, rows: sql`select * from (${changes.rows}) where changes <> '{}'` };
}

/** Describes an action on resources that changes none of their fields. */
export function acted(resource: AuditedResource, condition: SQL | undefined): Change {
  return { ...selectRows(resource, condition, []), isRepeatable: true };
}

function selectRows(
  { type, table, id, fields }: AuditedResource,
  condition: SQL | undefined,
  entries: readonly SQL[],
  { newBytes = [], from = table }: { newBytes?: readonly SQL[]; from?: SQLWrapper } = {},
): Change {
  const columns = Object.values(fields).map(({ column }) => sql`${getTableColumns(table)[column]}`);
  const sizes = [sql`octet_length(json_array(${sql.join(columns, sql`, `)}))`, ...newBytes];
  const bytes = sql.join(sizes, sql` + `);
  // An entry consists of the name and the two values. If the values aren't shown, it also says whether they
  // differ.
  const changes = sql`(select json_group_object(field.value ->> 0, json_array(json(field.value -> 1), json(field.value -> 2)))
       from json_each(json_array(${sql.join([...entries], sql`, `)})) as field
      where field.value -> 1 is not field.value -> 2 or field.value ->> 3)`;
  return {
    resourceType: type,
    rows: sql`select ${id} as resource_id, ${changes} as changes, ${bytes} as bytes from ${from} where ${condition}`,
  };
}

function compareOthers(others: OtherFields): SQL[] {
  return Object.entries(others).map(([name, [before, after]]) => compare(name, before, after));
}

function compare(name: string, before: SQL, after: SQL): SQL {
  return sql`json_array(${quoteName(name)}, ${before}, ${after})`;
}

function compareColumn(name: string, column: SQLiteColumn, form: Form, value: unknown): SQL {
  const raw = toDriver(column, value);
  const after = sql`${raw}`;
  if (form === "secret") {
    const isReplaced = sql`${column} is not null and ${column} <> ${after}`;
    const hidden = sql`iif(${isReplaced}, ${sql.raw(`'${HIDDEN}'`)}, null)`;
    return sql`json_array(${quoteName(name)}, ${hidden}, ${hidden}, ${isReplaced})`;
  }
  if (!BOUNDED.includes(form)) return compare(name, showColumn(column, form), show(column, form, after));
  const shown = is(raw, SQL) ? showBounded(raw, isJson(column, form)) : showKnown(raw, isJson(column, form));
  const changed = sql`json_array(${quoteName(name)}, ${showFormer(column, form)}, ${shown}, true)`;
  return sql`json(iif(${column} is not ${after}, ${changed}, json_array(${quoteName(name)}, null, null)))`;
}

/** Returns the size of a value as its column stores it. */
function measure(raw: unknown): number {
  return raw === null ? 0 : new TextEncoder().encode(String(raw)).byteLength;
}

/** Shows a new value of a bounded field, or its size if it is larger than {@link VALUE_MAX_BYTES}. */
function showKnown(raw: unknown, isJsonText: boolean): SQL {
  const bytes = measure(raw);
  const json = isJsonText ? raw : JSON.stringify(raw);
  return sql`json(${bytes > VALUE_MAX_BYTES ? JSON.stringify({ omitted_bytes: bytes }) : json})`;
}

/** Like {@link showKnown}, for a value that is an SQL expression. */
function showBounded(raw: SQL, isJsonText: boolean): SQL {
  const size = sql`coalesce(octet_length(${raw}), 0)`;
  return bound(size, isJsonText ? sql`json(${raw})` : sql`json_quote(${raw})`);
}

/** Shows a JSON value, or its size if it is larger than {@link VALUE_MAX_BYTES}. */
function bound(size: SQL, json: SQLWrapper): SQL {
  return sql`json(iif(${size} > ${sql.raw(String(VALUE_MAX_BYTES))}, json_object('omitted_bytes', ${size}), ${json}))`;
}

/** Returns the expression for the size of a new value, which may be an SQL expression itself. */
function measureValue(raw: unknown): SQL {
  return is(raw, SQL) ? sql`coalesce(octet_length(${raw}), 0)` : sql.raw(String(measure(raw)));
}

/** Shows the old value of a column. */
function showFormer(column: SQLiteColumn, form: Form): SQL {
  return form === "restorable" ? show(column, "value", column) : showColumn(column, form);
}

function showColumn(column: SQLiteColumn, form: Form): SQL {
  if (!BOUNDED.includes(form)) return show(column, form, column);
  const size = sql`octet_length(${column})`;
  const json = isJson(column, form) ? column : sql`json_quote(${column})`;
  return bound(size, json);
}

function isJson({ dataType }: SQLiteColumn, form: Form): boolean {
  return dataType === "json" || form === "json";
}

/** Converts the value of a column to SQL that JSON functions accept. */
function show({ dataType }: SQLiteColumn, form: Form, value: SQLWrapper): SQL {
  if (form === "is_set") return sql`json(iif(${value} is null, 'false', 'true'))`;
  if (form === "time") return sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${value} / 1000.0, 'unixepoch')`;
  if (dataType === "json") return sql`json(${value})`;
  if (dataType === "boolean") return sql`json(iif(${value}, 'true', 'false'))`;
  // D1 binds every number as a REAL.
  if (dataType === "number") return sql`cast(${value} as integer)`;
  return sql`${value}`;
}

/** Converts a value to the form in which its column stores it. */
function toDriver({ dataType }: SQLiteColumn, value: unknown): unknown {
  if (value === null || is(value, SQL)) return value;
  if (dataType === "json") return JSON.stringify(value);
  return typeof value === "boolean" ? Number(value) : value;
}

function getColumn({ table }: AuditedResource, name: string): SQLiteColumn {
  return getTableColumns(table)[name] as SQLiteColumn;
}

/**
 * Returns the name of a field as an SQL literal, because D1 binds at most 100 values per statement. This is
 * safe, since names come from the code.
 */
function quoteName(name: string): SQL {
  return sql.raw(`'${name}'`);
}
