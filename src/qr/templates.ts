import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import { created, defineResource, deleted, shownAs, updated } from "../audit/describe-changes.ts";
import { logChange } from "../audit/shard-log.ts";
import { createNotFoundError, createValidationError, type FieldProblem } from "../core/error.ts";
import { toIso } from "../core/time.ts";
import type { Database } from "../db/database.ts";
import { deleteSome } from "../db/delete-some.ts";
import { cutPage, type ListPage, olderThan } from "../db/list-page.ts";
import { deriveId } from "../tenant/request-origin.ts";
import type { Tenant } from "../tenant/tenant.ts";
import {
  createPlanLimitError,
  isPlanExceeded,
  recoverOrRefuse,
  releaseUsage,
  selectUsage,
  takeUsage,
} from "../tenant/usage.ts";
import {
  eraseItem,
  listTrash,
  moveToTrash,
  removeFromTrash,
  restoredFrom,
  restoreItem,
  type Trashed,
  type TrashPage,
} from "../trash/trash.ts";
import type { DesignPatch } from "./design.schema.ts";
import { type DesignInput, resolveDesign } from "./design.ts";
import { findColourProblems } from "./design-problems.ts";
import { findFrameProblem } from "./frame.ts";
import { findLogoProblem } from "./logo.ts";
import type { NewTemplate, TemplatePatch, TemplateResponse } from "./templates.schema.ts";
import { qrTemplates as templates } from "./templates.table.ts";

/** Stored template. */
export type Template = typeof templates.$inferSelect;

/** Fields of templates in the audit log. */
const auditedTemplate = defineResource("qr_template", templates, {
  name: "name",
  description: shownAs("large", "description"),
  design: shownAs("large", "design"),
});

/** Creates a template. Throws `VALIDATION_ERROR` or `PLAN_LIMIT_EXCEEDED`. */
export async function createTemplate(
  tenant: Tenant,
  publicFiles: R2Bucket,
  input: NewTemplate,
): Promise<Template> {
  const { db, workspace, nowMs } = tenant;
  const { name, description = "", design = {} } = input;
  const whole = resolveDesign(design);
  throwProblems(
    ...findColourProblems(whole),
    await findFrameProblem(whole),
    await findLogoProblem(tenant, publicFiles, design.logo_url),
  );
  const row = { id: deriveId(tenant), workspaceId: workspace.id, name, description, design };
  try {
    const [, [template]] = await db.batch([
      takeUsage(tenant, "qr_templates"),
      db
        .insert(templates)
        .values({ ...row, createdAt: nowMs, updatedAt: nowMs })
        .returning(),
      logChange(tenant, created(auditedTemplate, templateById(workspace.id, row.id))),
    ]);
    return template as Template;
  } catch (error) {
    return recoverOrRefuse(tenant, "qr_templates", error, getTemplate);
  }
}

/** Returns a template of the workspace. Throws `RESOURCE_NOT_FOUND`. */
export async function getTemplate(tenant: Tenant, templateId: string): Promise<Template> {
  const template = await findTemplate(tenant, templateId);
  if (template === undefined) throw createNotFoundError("template");
  return template;
}

/** Returns a template of the workspace, or undefined if there is none. */
export async function findTemplate(
  { db, workspace }: Tenant,
  templateId: string,
): Promise<Template | undefined> {
  const [template] = await db.select().from(templates).where(templateById(workspace.id, templateId));
  return template;
}

/** Lists the workspace's templates, newest first, and counts them all. */
export async function listTemplates(
  tenant: Tenant,
  { limit, offset, before }: ListPage,
): Promise<{ templates: Template[]; total: number; nextBefore: string | null }> {
  const { db, workspace } = tenant;
  const listed = and(eq(templates.workspaceId, workspace.id), olderThan(templates.id, before));
  const newestFirst = db.select().from(templates).where(listed).orderBy(desc(templates.id));
  const [read, [counted]] = await db.batch([
    newestFirst.limit(limit + 1).offset(offset),
    selectUsage(tenant, "qr_templates"),
  ]);
  const { rows, nextBefore } = cutPage(read, limit);
  return { templates: rows, total: counted?.total ?? 0, nextBefore };
}

/** Changes the fields in the patch, merging the design. Throws `VALIDATION_ERROR`, `RESOURCE_NOT_FOUND`. */
export async function updateTemplate(
  tenant: Tenant,
  publicFiles: R2Bucket,
  templateId: string,
  patch: TemplatePatch,
): Promise<Template> {
  const { db, workspace, nowMs } = tenant;
  throwProblems(await findLogoProblem(tenant, publicFiles, patch.design?.logo_url));
  if (Object.keys(patch).length === 0) return getTemplate(tenant, templateId);
  const selected = templateById(workspace.id, templateId);
  const changes = {
    ...(patch.name !== undefined && { name: patch.name }),
    ...(patch.description !== undefined && { description: patch.description }),
    updatedAt: nowMs,
  };
  if (patch.design === undefined) {
    const [, [after]] = await db.batch([
      logChange(tenant, updated(auditedTemplate, selected, changes)),
      db.update(templates).set(changes).where(selected).returning(),
    ]);
    if (after === undefined) throw createNotFoundError("template");
    return after;
  }
  for (;;) {
    const before = await getTemplate(tenant, templateId);
    const design = mergeDesign(before.design, patch.design);
    const whole = resolveDesign(design);
    throwProblems(...findColourProblems(whole), await findFrameProblem(whole));
    // Updates only if the stored design hasn't changed since it was read, because validity depends on the
    // whole design. If another request has changed the design, the loop tries again. One of the requests
    // always succeeds.
    const withSameDesign = eq(templates.design, before.design);
    const mergeable = and(selected, withSameDesign);
    const [, [after]] = await db.batch([
      logChange(tenant, updated(auditedTemplate, mergeable, { ...changes, design })),
      db
        .update(templates)
        .set({ ...changes, design })
        .where(mergeable)
        .returning(),
    ]);
    if (after !== undefined) return after;
  }
}

/**
 * Moves a template to the trash. A permanent deletion erases it, also if it is in the trash. Throws
 * `RESOURCE_NOT_FOUND`.
 */
export async function deleteTemplate(
  tenant: Tenant,
  templateId: string,
  isPermanent: boolean,
): Promise<void> {
  const { db, workspace } = tenant;
  const selected = templateById(workspace.id, templateId);
  const [, , , , removed] = await db.batch([
    logChange(tenant, deleted(auditedTemplate, selected, { isPermanent })),
    releaseUsage(tenant, "qr_templates", sql`(select count(*) from ${templates} where ${selected})`),
    ...moveToTrash(tenant, "qr_template", templates, selected, isPermanent),
    db.delete(templates).where(selected).returning({ id: templates.id }),
  ]);
  if (removed.length > 0) return;
  if (!isPermanent) throw createNotFoundError("template");
  await eraseItem(tenant, "qr_template", templateId);
}

/**
 * Brings a template back from the trash. Returns a template that isn't deleted as it is. Throws
 * `RESOURCE_NOT_FOUND`, `PLAN_LIMIT_EXCEEDED`.
 */
export function restoreTemplate(tenant: Tenant, templateId: string): Promise<Template> {
  const insert = (trashed: Trashed<Template>) => insertTemplate(tenant, trashed);
  return restoreItem(tenant, "qr_template", templates, templateId, insert, getTemplate);
}

async function insertTemplate(tenant: Tenant, trashed: Trashed<Template>): Promise<Template> {
  const { db, workspace, nowMs } = tenant;
  const { row } = trashed;
  try {
    const [[template]] = await db.batch([
      db
        .insert(templates)
        .values({ ...row, ...restoredFrom(tenant, trashed, {}), updatedAt: nowMs })
        .returning(),
      removeFromTrash(tenant, trashed),
      takeUsage(tenant, "qr_templates"),
      logChange(tenant, created(auditedTemplate, templateById(workspace.id, row.id))),
    ]);
    return template as Template;
  } catch (error) {
    throw isPlanExceeded(error) ? createPlanLimitError(tenant, "qr_templates") : error;
  }
}

/** Lists the templates in the trash. */
export function listDeletedTemplates(tenant: Tenant, page: ListPage): Promise<TrashPage<Template>> {
  return listTrash(tenant, "qr_template", templates, page);
}

/** Converts a stored template to its API form. */
export function presentTemplate(template: Template): TemplateResponse {
  const { id, name, description, design } = template;
  return {
    id,
    name,
    description,
    design: design as TemplateResponse["design"],
    created_at: toIso(template.createdAt),
    updated_at: toIso(template.updatedAt),
  };
}

/** Deletes some templates of a deleted workspace and returns how many. */
export function eraseTemplates(db: Database, workspaceId: string): Promise<number> {
  return deleteSome(db, templates, [templates.id], eq(templates.workspaceId, workspaceId));
}

function templateById(workspaceId: string, templateId: string): SQL | undefined {
  return and(eq(templates.workspaceId, workspaceId), eq(templates.id, templateId));
}

function mergeDesign(design: DesignInput, patch: DesignPatch): DesignInput {
  const merged = Object.entries({ ...design, ...patch }).filter(([, member]) => member !== null);
  return Object.fromEntries(merged);
}

/** Throws `VALIDATION_ERROR` if there are any problems. */
function throwProblems(...problems: (FieldProblem | null)[]): void {
  const [first, ...others] = problems.filter((problem) => problem !== null);
  if (first !== undefined) throw createValidationError(first, ...others);
}
