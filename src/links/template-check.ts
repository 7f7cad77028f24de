import { sql } from "drizzle-orm";
import { createValidationError, type FieldProblem } from "../core/error.ts";
import type { Tenant } from "../tenant/tenant.ts";
import type { LinkInput } from "./link-input.ts";

/** QR template that a link is given. */
type TemplateInput = Pick<LinkInput, "qr_template_id">;

export const UNKNOWN_TEMPLATE: FieldProblem = {
  field: "qr_template_id",
  message: "must be the ID of a QR template in this workspace",
};

/**
 * Throws `VALIDATION_ERROR` if the QR template of an input doesn't exist. A link keeps the ID of a deleted template, so
 * the ID that the link `linkId` already has is accepted.
 */
export async function rejectUnknownTemplate(
  tenant: Tenant,
  input: TemplateInput,
  ...linkId: string[]
): Promise<void> {
  const unknown = await findUnknownTemplates(tenant, [input], linkId);
  if (unknown.size > 0) throw createValidationError(UNKNOWN_TEMPLATE);
}

/** Returns the IDs of templates that don't exist, except those that the given links already have. */
export async function findUnknownTemplates(
  { db, workspace }: Tenant,
  inputs: readonly TemplateInput[],
  linkIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const ids = new Set(inputs.flatMap(({ qr_template_id }) => qr_template_id ?? []));
  if (ids.size === 0) return new Set();
  const unknown = await db.all<{ id: string }>(
    sql`select value as id from json_each(${JSON.stringify([...ids])})
         where value not in (select id from qr_templates where workspace_id = ${workspace.id})
           and value not in (select qr_template_id from links
                              where workspace_id = ${workspace.id} and qr_template_id is not null
                                and id in (select value from json_each(${JSON.stringify(linkIds)})))`,
  );
  return new Set(unknown.map(({ id }) => id));
}
