import type { Operation } from "../http/operation.ts";
import type { RateLimitShape } from "../limits/allowance.ts";
import { QUOTA_FORMS } from "./quota-forms.ts";

/** Shape of `meta.rate_limit` and the operations that return it, as Markdown. */
export interface QuotaForm {
  /** Name of the schema in the document. */
  schema: string;
  /** Fields of `meta.rate_limit`. */
  fields: string;
  /** Tags whose operations all have this shape, and the ids of the operations whose tag has both shapes. */
  operations: string;
}

/** Lower-case error codes that an operation returns, as Markdown. */
export interface LowercaseCodes {
  operationId: string;
  codes: string;
}

/** Lists the two shapes of `meta.rate_limit`. Leaves out operations whose response isn't JSON. */
export function listQuotaForms(operations: readonly Operation[]): QuotaForm[] {
  const withMeta = operations.filter(({ data }) => data !== undefined);
  return (Object.keys(QUOTA_FORMS) as RateLimitShape[]).map((shape) => ({
    schema: QUOTA_FORMS[shape].meta()?.id ?? "",
    fields: formatList(Object.keys(QUOTA_FORMS[shape].shape).map(formatCode)),
    operations: formatList(listByTag(withMeta, ({ rateLimit }) => rateLimit === shape)),
  }));
}

/**
 * Lists the tags whose operations are all selected. For other tags, lists the ids of the selected operations.
 */
function listByTag(operations: readonly Operation[], isSelected: (operation: Operation) => boolean) {
  return [...Map.groupBy(operations, ({ tag }) => tag)].flatMap(([tag, tagged]) => {
    const selected = tagged.filter(isSelected);
    return selected.length === tagged.length ? [tag] : selected.map(({ id }) => formatCode(id));
  });
}

/** Lists the operations that return lower-case error codes. */
export function listLowercaseCodes(operations: readonly Operation[]): LowercaseCodes[] {
  return operations.flatMap(({ id: operationId, errorNames = {}, itemErrorCodes = [] }) => {
    const renamed = Object.entries(errorNames).map(([code, name]) => `\`${name}\` instead of \`${code}\``);
    const ofItems = formatList(itemErrorCodes.map(formatCode), "or");
    return [
      ...(renamed.length > 0 ? [{ operationId, codes: formatList(renamed) }] : []),
      ...(ofItems === "" ? [] : [{ operationId, codes: `${ofItems} in \`data.errors[].error\`` }]),
    ];
  });
}

/** Describes the shapes of `meta.rate_limit` and the lower-case error codes in one paragraph of Markdown. */
export function describeVariants(operations: readonly Operation[]): string {
  const forms = listQuotaForms(operations).map(
    ({ schema, fields, operations }) => `${fields} in ${operations} (schema \`${schema}\`)`,
  );
  const exceptions = listLowercaseCodes(operations).map(
    ({ operationId, codes }) => `\`${operationId}\` returns ${codes}`,
  );
  return [
    "Two details of responses depend on the operation, because older clients rely on them.",
    `\`meta.rate_limit\` has ${forms.join(", and ")}.`,
    `Error codes are in upper case, except that ${exceptions.join(", and ")}.`,
  ].join(" ");
}

function formatCode(text: string): string {
  return `\`${text}\``;
}

/** Joins parts with commas and a conjunction: `a, b and c`. */
function formatList(parts: readonly string[], conjunction = "and"): string {
  const last = parts.at(-1) ?? "";
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(", ")} ${conjunction} ${last}`;
}
