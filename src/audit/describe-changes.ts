import { getTableColumns, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { ResourceType } from "./resource-type.ts";

/**
 * Form in which a log shows a column:
 * - `value`: as it is. JSON is shown as JSON.
 * - `large`: JSON as it is, but if it is larger than {@link VALUE_MAX_BYTES}, by its size only.
 * - `time`: Unix milliseconds as ISO 8601.
 * - `is_set`: whether there is a value.
 * - `secret`: that a value was replaced, with {@link HIDDEN} for both.
 */
type Form = "value" | "large" | "time" | "is_set" | "secret";

/** Maximum size of a value of the form `large`. */
export const VALUE_MAX_BYTES = 16_384;

/** Text that stands for a secret. */
export const HIDDEN = "…";

/** Field of a resource: the column that holds it, and how it is shown. */
export interface AuditedField<Name extends string = string> {
  column: Name;
  form: Form;
}

/** Returns a field whose column is shown in another form than `value`. */
export function shownAs<Name extends string>(form: Form, column: Name): AuditedField<Name> {
  return { column, form };
}

type ColumnName<Table extends SQLiteTable> = keyof Table["$inferSelect"] & string;

/** Resource whose changes are logged: its table, and the fields of its public form. */
export interface AuditedResource<Table extends SQLiteTable = SQLiteTable> {
  type: ResourceType;
  table: Table;
  id: SQLiteColumn;
  fields: Readonly<Record<string, AuditedField<ColumnName<Table>>>>;
}

/** Defines a resource. A field is the name of its column, or {@link shownAs}. */
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

/** Fields that a change changes outside the table of the resource: their values before and after it. */
export type OtherFields = Readonly<Record<string, readonly [before: SQL, after: SQL]>>;

/** Change of resources, to be logged in its batch. */
export interface Change {
  resourceType: ResourceType;
  /** Select of `resource_id` and `changes`, with one row for each resource. */
  rows: SQL;
  /**
   * True if a repeated request makes the change again although it is made already, so that the values do not tell. Such a
   * change is logged once for a request.
   */
  isRepeatable?: true;
}

/** Describes resources that were created. The log is written after them. */
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

/** Describes resources that are about to be deleted. The log is written before. */
export function deleted(resource: AuditedResource, condition: SQL | undefined): Change {
  const entries = Object.entries(resource.fields).flatMap(([name, { column, form }]) => {
    if (form === "secret") return [];
    return [compare(name, showColumn(getColumn(resource, column), form), sql`null`)];
  });
  return selectRows(resource, condition, entries);
}

/**
 * Describes resources that are about to get other values in some columns. The log is written before, in the same batch, so
 * that it has the values which the change replaces, whatever other requests did meanwhile. What stays as it is has no entry.
 */
export function updated<Table extends SQLiteTable>(
  resource: AuditedResource<Table>,
  condition: SQL | undefined,
  columns: Partial<Table["$inferSelect"]>,
  others: OtherFields = {},
): Change {
  const values: Record<string, unknown> = columns;
  const entries = Object.entries(resource.fields).flatMap(([name, { column, form }]) => {
    const value = values[column];
    return value === undefined ? [] : [compareColumn(name, getColumn(resource, column), form, value)];
  });
  const changes = selectRows(resource, condition, [...entries, ...compareOthers(others)]);
  return { ...changes, rows: sql`select * from (${changes.rows}) where changes <> '{}'` };
}

/** Describes something that was done with resources and changed no field of them. */
export function acted(resource: AuditedResource, condition: SQL | undefined): Change {
  return { ...selectRows(resource, condition, []), isRepeatable: true };
}

function selectRows(
  { type, table, id }: AuditedResource,
  condition: SQL | undefined,
  entries: readonly SQL[],
): Change {
  // An entry is its name, the two values, and for values that are not shown whether they differ.
  const changes = sql`(select json_group_object(field.value ->> 0, json_array(json(field.value -> 1), json(field.value -> 2)))
       from json_each(json_array(${sql.join([...entries], sql`, `)})) as field
      where field.value -> 1 is not field.value -> 2 or field.value ->> 3)`;
  return {
    resourceType: type,
    rows: sql`select ${id} as resource_id, ${changes} as changes from ${table} where ${condition}`,
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
  if (form !== "large") return compare(name, showColumn(column, form), show(column, form, after));
  const bytes = raw === null ? 0 : new TextEncoder().encode(String(raw)).byteLength;
  const shown = sql`json(${bytes > VALUE_MAX_BYTES ? JSON.stringify({ omitted_bytes: bytes }) : raw})`;
  return sql`json_array(${quoteName(name)}, ${showColumn(column, form)}, ${shown}, ${column} is not ${after})`;
}

function showColumn(column: SQLiteColumn, form: Form): SQL {
  if (form !== "large") return show(column, form, column);
  const size = sql`octet_length(${column})`;
  return sql`json(iif(${size} > ${sql.raw(String(VALUE_MAX_BYTES))}, json_object('omitted_bytes', ${size}), ${column}))`;
}

/** Returns the value of a column, as SQL that JSON functions take. */
function show({ dataType }: SQLiteColumn, form: Form, value: SQLWrapper): SQL {
  if (form === "is_set") return sql`json(iif(${value} is null, 'false', 'true'))`;
  if (form === "time") return sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${value} / 1000.0, 'unixepoch')`;
  if (dataType === "json") return sql`json(${value})`;
  if (dataType === "boolean") return sql`json(iif(${value}, 'true', 'false'))`;
  // D1 binds every number as a real one.
  if (dataType === "number") return sql`cast(${value} as integer)`;
  return sql`${value}`;
}

/** Returns the value that a column stores. */
function toDriver({ dataType }: SQLiteColumn, value: unknown): unknown {
  if (value === null) return null;
  if (dataType === "json") return JSON.stringify(value);
  return typeof value === "boolean" ? Number(value) : value;
}

function getColumn({ table }: AuditedResource, name: string): SQLiteColumn {
  return getTableColumns(table)[name] as SQLiteColumn;
}

/** Returns the name of a field, which the code has, as a literal: D1 binds at most 100 values. */
function quoteName(name: string): SQL {
  return sql.raw(`'${name}'`);
}
