import type { Operation } from "../http/operation.ts";
import type { RateLimitShape } from "../limits/allowance.ts";
import { QUOTA_FORMS } from "./quota-forms.ts";

/** Form of `meta.rate_limit` with the operations that have it, as Markdown. */
export interface QuotaForm {
  /** Name of the schema in the document. */
  schema: string;
  /** Fields of `meta.rate_limit`. */
  fields: string;
  /** Tags of the operations, and ids of those whose tag has both forms. */
  operations: string;
}

/** Error codes in lower case that an operation returns, as Markdown. */
export interface LowercaseCodes {
  operationId: string;
  codes: string;
}

/** Lists the two forms of `meta.rate_limit`. Operations whose response is not JSON have none. */
export function listQuotaForms(operations: readonly Operation[]): QuotaForm[] {
  const withMeta = operations.filter(({ data }) => data !== undefined);
  return (Object.keys(QUOTA_FORMS) as RateLimitShape[]).map((shape) => ({
    schema: QUOTA_FORMS[shape].meta()?.id ?? "",
    fields: formatList(Object.keys(QUOTA_FORMS[shape].shape).map(formatCode)),
    operations: formatList(listByTag(withMeta, ({ rateLimit }) => rateLimit === shape)),
  }));
}

/** Lists the tags of the selected operations. Where a tag has others too, lists the ids of the selected ones. */
function listByTag(operations: readonly Operation[], isSelected: (operation: Operation) => boolean) {
  return [...Map.groupBy(operations, ({ tag }) => tag)].flatMap(([tag, tagged]) => {
    const selected = tagged.filter(isSelected);
    return selected.length === tagged.length ? [tag] : selected.map(({ id }) => formatCode(id));
  });
}

/** Lists the operations that have error codes in lower case. */
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

/** Describes the forms of `meta.rate_limit` and the cases of error codes in one paragraph of Markdown. */
export function describeVariants(operations: readonly Operation[]): string {
  const forms = listQuotaForms(operations).map(
    ({ schema, fields, operations }) => `${fields} in ${operations} (schema \`${schema}\`)`,
  );
  const exceptions = listLowercaseCodes(operations).map(
    ({ operationId, codes }) => `\`${operationId}\` returns ${codes}`,
  );
  return [
    "Two details of responses depend on the operation, because clients of earlier versions rely on them.",
    `\`meta.rate_limit\` has ${forms.join(", and ")}.`,
    `Error codes are in upper case, except that ${exceptions.join(", and ")}.`,
  ].join(" ");
}

function formatCode(text: string): string {
  return `\`${text}\``;
}

/** Joins parts as in English: `a, b and c`. */
function formatList(parts: readonly string[], conjunction = "and"): string {
  const last = parts.at(-1) ?? "";
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(", ")} ${conjunction} ${last}`;
}
