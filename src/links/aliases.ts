import { eq, sql } from "drizzle-orm";
import { ApiError, createValidationError } from "../core/error.ts";
import { isRaised, isUniqueViolation } from "../db/constraint.ts";
import { rawQuery } from "../db/raw-query.ts";
import { ALIASES_MAX, isApiPath } from "../routing/alias.ts";
import { listForms, toCodeKey } from "../routing/short-code.ts";
import { isApiHost } from "../tenant/own-hosts.ts";
import type { Tenant } from "../tenant/tenant.ts";
import type { NewLink } from "./links.schema.ts";
import { type Link, links } from "./links.table.ts";

/** Columns with the paths of a link. */
export type LinkPaths = Pick<Link, "shortCode" | "codeKey" | "isCustom" | "aliases" | "formerCodes">;

/** Input fields that change the paths of a link. */
export interface PathsPatch {
  custom_slug?: string | undefined;
  keep_old_code?: boolean | undefined;
  aliases?: string[] | null | undefined;
}

/** How an update treats aliases that are former short codes. */
export interface FormerCodes {
  /** Former short codes among restored aliases. Defaults to the link's own. */
  formerCodes?: readonly string[] | undefined;
  /** True if a new list of aliases doesn't remove former short codes. */
  keepsFormerCodes?: boolean;
}

/** Throws `VALIDATION_ERROR` for an alias that a host of the workspace serves itself. */
export function rejectReservedAliases(
  { settings, workspace }: Tenant,
  { aliases }: Pick<NewLink, "aliases">,
): void {
  if (!workspace.hostnames.some((hostname) => isApiHost(settings, hostname))) return;
  const index = aliases?.findIndex(isApiPath) ?? -1;
  if (index >= 0) {
    throw createValidationError({ field: `aliases[${index}]`, message: `"${aliases?.[index]}" is reserved` });
  }
}

/**
 * Returns the paths of a link after an update. The replaced short code becomes an alias. Throws
 * `ALIAS_LIMIT_EXCEEDED` if there are too many aliases.
 */
export function changePaths(
  link: Link,
  { custom_slug: shortCode = link.shortCode, keep_old_code, aliases = link.aliases }: PathsPatch,
  { formerCodes = link.formerCodes, keepsFormerCodes = false }: FormerCodes = {},
): LinkPaths {
  const isRenamed = shortCode !== link.shortCode;
  const kept = isRenamed && keep_old_code !== false ? [link.shortCode] : [];
  const former = keepsFormerCodes ? formerCodes : [];
  const all = [...new Set([...(aliases ?? []), ...former, ...kept])].filter(
    (alias) => !isRenamed || alias !== shortCode,
  );
  if (all.length > ALIASES_MAX) {
    throw new ApiError(
      "ALIAS_LIMIT_EXCEEDED",
      `custom_slug: the old short code cannot become an alias, because the link has ${ALIASES_MAX} aliases. Remove one, or send keep_old_code: false.`,
    );
  }
  return {
    shortCode,
    codeKey: toCodeKey(shortCode),
    isCustom: link.isCustom || isRenamed,
    aliases: all,
    formerCodes: [...new Set([...formerCodes, ...kept])].filter((code) => all.includes(code)),
  };
}

/** Returns true if a statement failed because another link has an alias, or too many aliases are similar. */
export function isAliasConflict(error: unknown): boolean {
  return (
    isRaised(error, "alias_taken") ||
    isRaised(error, "alias_variants") ||
    isUniqueViolation(error, "link_aliases.workspace_id", "link_aliases.code_key", "link_aliases.path")
  );
}

/** Returns true if a statement failed because another link has a short code, or an alias in its form. */
export function isCodeConflict(error: unknown): boolean {
  return isUniqueViolation(error, "links.workspace_id", "links.code_key") || isRaised(error, "code_taken");
}

/** Returns the error for a write that failed with {@link isAliasConflict}. */
export async function explainAliasConflict(
  tenant: Tenant,
  link: Pick<Link, "id" | "aliases" | "formerCodes">,
  error: unknown,
): Promise<ApiError> {
  if (isRaised(error, "alias_variants")) return createVariantsError();
  const [conflict] = await findAliasConflicts(tenant, [link]);
  return createAliasError(conflict);
}

/** Returns the error for too many aliases that differ only in case. */
export function createVariantsError(): ApiError {
  const message = "must not differ only in case from 50 other aliases of the workspace";
  return createValidationError({ field: "aliases", message });
}

/** Alias that another link has. */
export interface AliasConflict {
  /** Id of the link that can't have the alias. */
  linkId: string;
  alias: string;
  /** Link that has the alias. */
  otherId: string;
  otherCode: string;
}

/** Returns the error for an alias that another link has. The link is unknown if it has just lost the alias. */
export function createAliasError(conflict: AliasConflict | undefined): ApiError {
  return new ApiError(
    "ALIAS_TAKEN",
    conflict === undefined
      ? "aliases: another link in this workspace had one of these paths. Try again."
      : `aliases: ${conflict.alias} already belongs to the link ${conflict.otherCode} (${conflict.otherId})`,
  );
}

/** Returns the first alias of each link that another link has. Links without a conflict are left out. */
export async function findAliasConflicts(
  { db, workspace }: Tenant,
  wanted: readonly Pick<Link, "id" | "aliases" | "formerCodes">[],
): Promise<AliasConflict[]> {
  const items = wanted.map(({ id, aliases, formerCodes }) => ({ id, aliases, formerCodes }));
  const other = sql`select other.link_id from link_addresses as other
     where other.workspace_id = ${workspace.id} and other.code_key = lower(alias.value)
       and other.link_id <> item.value ->> 'id'
       and ${overlaps(sql`alias.value`, sql`alias.value in (select value from json_each(item.value -> 'formerCodes'))`)}`;
  const found = sql`select item.value ->> 'id' as link_id, alias.value as alias, (${other} limit 1) as other_id
     from json_each(${JSON.stringify(items)}) as item, json_each(item.value -> 'aliases') as alias`;
  const [rows] = await db.batch([
    rawQuery<AliasConflict>(
      db,
      sql`select found.link_id as linkId, found.alias, found.other_id as otherId, ${links.shortCode} as otherCode
            from (${found}) as found join ${links} on ${eq(links.id, sql`found.other_id`)} group by found.link_id`,
    ),
  ]);
  return rows;
}

/**
 * Returns the condition that the row `other` of `link_addresses` and a path with the same key can't belong to
 * two links. The triggers have the same condition.
 */
export function overlaps(path: ReturnType<typeof sql>, isAnyCase: ReturnType<typeof sql>) {
  const isForm = (text: ReturnType<typeof sql>) => sql`${text} in (lower(${text}), upper(${text}))`;
  return sql`(other.path = ${path} or (other.any_case and (${isAnyCase} or ${isForm(path)}))
              or (${isAnyCase} and ${isForm(sql`other.path`)}))`;
}

/** Returns true if two new links have a path or their external id in common. */
export function hasSameName(one: Link, other: Link): boolean {
  if (one.codeKey === other.codeKey || (one.externalId !== null && one.externalId === other.externalId))
    return true;
  if (one.aliases.length === 0 && other.aliases.length === 0) return false;
  return (
    one.aliases.some(
      (alias) => other.aliases.includes(alias) || listForms(other.shortCode).includes(alias),
    ) || other.aliases.some((alias) => listForms(one.shortCode).includes(alias))
  );
}
