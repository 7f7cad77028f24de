import { createValidationError, type FieldProblem } from "../core/error.ts";
import type { Settings } from "../env.ts";
import { findRefusedHosts, type RefusedHosts, rejectBlockedUrls } from "../safety/blocked-hosts.ts";
import { formatLinkedHost, mayRedirect } from "../tenant/own-hosts.ts";
import type { Tenant } from "../tenant/tenant.ts";

/** Fields of a domain that callers can set, except `is_primary`. */
export interface DomainSettings {
  root_url?: string | null | undefined;
  not_found_url?: string | null | undefined;
  expired_url?: string | null | undefined;
  apple_app_site_association?: object | null | undefined;
  assetlinks?: readonly object[] | null | undefined;
}

const URL_FIELDS = ["root_url", "not_found_url", "expired_url"] as const;

/** Returns which hosts of the given URLs are domains of workspaces or blocked. */
export async function findLinkedHosts(
  { db, settings }: Pick<Tenant, "db" | "settings">,
  input: DomainSettings,
): Promise<RefusedHosts> {
  const urls = listUrls(input).map(({ url }) => url);
  return urls.length === 0 ? { own: new Set(), blocked: new Set() } : findRefusedHosts(db, settings, urls);
}

/**
 * Throws `VALIDATION_ERROR` if a URL is blocked or could redirect back: if it is on the host itself, on a domain of
 * a workspace, or on a host of the configuration. All of this may change later, so redirects check again.
 */
export function rejectUnfitUrls(
  settings: Settings,
  { own, blocked }: RefusedHosts,
  hostname: string,
  input: DomainSettings,
): void {
  const hosts = new Set([...own, hostname]);
  const message = "must not be a short URL of this service, because it could cause a redirect loop";
  const problems = listUrls(input)
    .filter(({ url }) => mayRedirect(settings, hosts, url))
    .map(({ field }): FieldProblem => ({ field, message }));
  const [first, ...others] = problems;
  if (first !== undefined) throw createValidationError(first, ...others);
  rejectBlockedUrls(blocked, listUrls(input));
}

function listUrls(input: DomainSettings) {
  return URL_FIELDS.flatMap((field) => {
    const address = input[field];
    return address ? [{ field, url: new URL(address) }] : [];
  });
}

/**
 * Returns the columns for the given fields. `version` is the value or SQL expression for the next version of
 * the documents.
 */
export function toColumns<Version>(settings: Settings, input: DomainSettings, version: Version) {
  const { root_url, not_found_url, expired_url, apple_app_site_association, assetlinks } = input;
  const readHost = (address: string | null) => address && formatLinkedHost(settings, new URL(address));
  const write = (document: object | null) => document && JSON.stringify(document);
  const hasDocument = apple_app_site_association !== undefined || assetlinks !== undefined;
  return {
    ...(root_url !== undefined && { rootUrl: root_url, rootHost: readHost(root_url) }),
    ...(not_found_url !== undefined && { notFoundUrl: not_found_url, notFoundHost: readHost(not_found_url) }),
    ...(expired_url !== undefined && { expiredUrl: expired_url, expiredHost: readHost(expired_url) }),
    ...(hasDocument && { documentVersion: version }),
    ...(apple_app_site_association !== undefined && {
      appleAppSiteAssociation: write(apple_app_site_association),
    }),
    ...(assetlinks !== undefined && { assetlinks: write(assetlinks as object | null) }),
  };
}
