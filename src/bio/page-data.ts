import { createValidationError } from "../core/error.ts";
import type { Settings } from "../env.ts";
import { formatFieldPath, listProblems } from "../http/validation.ts";
import { isClickUrl } from "../tenant/own-hosts.ts";
import { type PageData, type PageDataPatch, pageData } from "./bio.schema.ts";
import { applyMergePatch, isFromPatch } from "./merge-patch.ts";

/** Checks page data beyond the schema, and merges patches into page data. */

/**
 * Throws `VALIDATION_ERROR` for URLs that the schema can't check, because the check needs the deployment's
 * own URLs. Images must be https, except on the deployment's CDN, which uses http in development. A link must
 * not go to the click URL of a page, because that could cause a redirect loop.
 */
export function rejectUnsafeUrls(settings: Settings, data: PageData, patch?: PageDataPatch): void {
  const [first, ...others] = listUnsafeUrls(settings, data).map(({ path, message }) => ({
    field: formatFieldPath(toFieldPath(path, patch)),
    message,
  }));
  if (first !== undefined) throw createValidationError(first, ...others);
}

/**
 * Merges a patch into page data and returns the result. The merged data is validated as a whole. Throws
 * `VALIDATION_ERROR`. The problems name the path in the patch if the value comes from the patch, otherwise
 * the path in the page data.
 */
export function mergePageData(settings: Settings, data: PageData, patch: PageDataPatch): PageData {
  const merged = pageData.safeParse(applyMergePatch(data, patch));
  if (!merged.success) {
    const issues = merged.error.issues.map((issue) => ({ ...issue, path: toFieldPath(issue.path, patch) }));
    throw createValidationError(...listProblems(issues));
  }
  rejectUnsafeUrls(settings, merged.data, patch);
  return merged.data;
}

/** Converts a path in the page data to the path in the request body, for error messages and warnings. */
export function toFieldPath(path: readonly PropertyKey[], patch?: PageDataPatch): PropertyKey[] {
  const isPatched = patch !== undefined && path.length > 0 && isFromPatch(patch, path);
  return [isPatched ? "page_data_patch" : "page_data", ...path];
}

interface UnsafeUrl {
  path: PropertyKey[];
  message: string;
}

function listUnsafeUrls(settings: Settings, data: PageData): UnsafeUrl[] {
  const isUnencrypted = (url: string) => !/^https:/i.test(url) && new URL(url).origin !== settings.cdnUrl;
  return [
    ...listImageUrls(data)
      .filter(({ url }) => isUnencrypted(url))
      .map(({ path }) => ({ path, message: "must be an https URL" })),
    ...(data.links ?? []).flatMap(({ url }, index) =>
      url !== undefined && isClickUrl(settings, new URL(url))
        ? [{ path: ["links", index, "url"], message: "must not be a click URL of a bio page" }]
        : [],
    ),
  ];
}

function listImageUrls({ avatar_url, seo }: PageData): { path: PropertyKey[]; url: string }[] {
  return [
    ...(avatar_url === undefined ? [] : [{ path: ["avatar_url"], url: avatar_url }]),
    ...(seo?.image_url === undefined ? [] : [{ path: ["seo", "image_url"], url: seo.image_url }]),
  ];
}
