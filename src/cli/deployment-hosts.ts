import { isWithinDomain, normalizeHostname } from "../core/hosts.ts";
import type { DeclaredEnvironment, DeclaredRoute } from "./deployment-config.ts";

/** Vars that contain the URL of a host shared by all workspaces. */
const URL_VARS = ["API_URL", "BIO_URL", "CDN_URL", "APP_URL"] as const;
const SHORT_VAR = "SHORT_DOMAIN";
/** Vars that {@link findHostProblems} checks. */
export const HOST_VARS: readonly string[] = [...URL_VARS, SHORT_VAR];

/** Matches reserved names (RFC 2606, RFC 6761), which wrangler.toml uses as placeholder hosts. */
const RESERVED_NAME = /(?:^|\.)(?:example|test|invalid|localhost|local|example\.(?:com|net|org))$/;
const DNS_NAME = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*$/;

/** Host that a var configures. */
interface VarHost {
  name: string;
  host: string;
}

/**
 * Checks the hosts of an environment. Returns one sentence per problem. `hasOwnCertificate` is true if an
 * advanced certificate covers the short hosts.
 */
export function findHostProblems(declared: DeclaredEnvironment, hasOwnCertificate: boolean): string[] {
  const problems: string[] = [];
  const urls = URL_VARS.flatMap((name) => {
    const parsed = parseOrigin(declared.vars[name]);
    if (typeof parsed !== "string") problems.push(`[vars] ${name}: ${parsed.problem}`);
    return typeof parsed === "string" ? [{ name, host: parsed }] : [];
  });
  const short = normalizeHostname(String(declared.vars[SHORT_VAR] ?? ""));
  const isShortName = DNS_NAME.test(short);
  if (!isShortName)
    problems.push(`[vars] ${SHORT_VAR}: must be a domain such as acme-go.com, without scheme or port`);
  const hosts = isShortName ? [...urls, { name: SHORT_VAR, host: short }] : urls;

  problems.push(...findReservedNames(hosts, declared.routes), ...findSharedHosts(hosts));
  problems.push(...urls.flatMap(({ name, host }) => findUrlRouteProblem(name, host, declared.routes)));
  if (isShortName) {
    problems.push(...findShortHostProblems(short, urls));
    problems.push(...findShortRouteProblems(short, urls, declared.routes, hasOwnCertificate));
  }
  return problems;
}

/** Returns the host of an https origin, or a description of the problem. */
function parseOrigin(value: unknown): string | { problem: string } {
  const text = String(value ?? "");
  if (!URL.canParse(text)) return { problem: "must be a URL such as https://api.acme.com" };
  const { protocol, hostname } = new URL(text);
  if (protocol !== "https:") return { problem: `must start with https://, not ${protocol}//` };
  if (text.replace(/\/$/, "").toLowerCase() !== `https://${hostname}` || !DNS_NAME.test(hostname)) {
    return { problem: "must be https:// and a hostname, without port, path or query" };
  }
  return normalizeHostname(hostname);
}

function findReservedNames(hosts: readonly VarHost[], routes: readonly DeclaredRoute[]): string[] {
  const isReserved = (host: string) => RESERVED_NAME.test(host);
  const vars = hosts
    .filter(({ host }) => isReserved(host))
    .map(({ name, host }) => `[vars] ${name}: ${host} is a placeholder; replace it with your own host`);
  const patterns = routes
    .filter(({ pattern, zone }) => isReserved(getRouteHost(pattern)) || isReserved(zone ?? ""))
    .map(({ pattern }) => pattern);
  if (patterns.length === 0) return vars;
  return [
    ...vars,
    `routes: ${patterns.join(", ")} contain placeholder hosts or zones; replace them with your own`,
  ];
}

/** Returns the host of a pattern such as `*.acme-go.com/*`, without the wildcard. */
function getRouteHost(pattern: string): string {
  return normalizeHostname(pattern.replace(/\/.*$/, "").replace(/^\*\.?/, ""));
}

function findSharedHosts(hosts: readonly VarHost[]): string[] {
  return hosts.flatMap(({ name, host }, index) => {
    const first = hosts.slice(0, index).find((other) => other.host === host);
    return first
      ? [`[vars] ${name}: ${host} is also used for ${first.name}; use a different host for each`]
      : [];
  });
}

function findUrlRouteProblem(name: string, host: string, routes: readonly DeclaredRoute[]): string[] {
  const isServed = routes.some(({ pattern, isCustomDomain }) =>
    isCustomDomain ? normalizeHostname(pattern) === host : pattern === `${host}/*`,
  );
  if (isServed) return [];
  return [`routes: no route serves ${host} (${name}); add { pattern = "${host}", custom_domain = true }`];
}

/** Lists hosts below the short domain. A workspace whose slug is the subdomain would get the same host. */
function findShortHostProblems(short: string, urls: readonly VarHost[]): string[] {
  return urls
    .filter(({ host }) => host !== short && isWithinDomain(host, short))
    .map(
      ({ name, host }) =>
        `[vars] ${name}: ${host} is a subdomain of ${SHORT_VAR}, which is reserved for workspace hosts`,
    );
}

function findShortRouteProblems(
  short: string,
  urls: readonly VarHost[],
  routes: readonly DeclaredRoute[],
  hasOwnCertificate: boolean,
): string[] {
  const route = routes.find(({ pattern }) => pattern === `*.${short}/*`);
  if (route === undefined) {
    return [
      `routes: no route serves *.${short} (${SHORT_VAR}); add { pattern = "*.${short}/*", zone_name = "${short}" }`,
    ];
  }
  const parent = findCommonParent(urls.map(({ host }) => host));
  const isBelowZone =
    (route.zone !== null && route.zone !== short) ||
    (parent !== null && short !== parent && isWithinDomain(short, parent));
  if (!isBelowZone || hasOwnCertificate) return [];
  // https://developers.cloudflare.com/ssl/edge-certificates/universal-ssl/
  return [
    `[vars] ${SHORT_VAR}: Universal SSL doesn't cover *.${short}, only one level below a zone. Use a separate zone, ` +
      "or an advanced certificate and the option --own-certificate",
  ];
}

/**
 * Returns the longest domain that contains all hosts, which is probably their zone. Returns null if it
 * would have fewer than two labels.
 */
function findCommonParent(hosts: readonly string[]): string | null {
  const [first = "", ...others] = hosts;
  const labels = first.split(".");
  for (let start = 0; start <= labels.length - 2; start++) {
    const parent = labels.slice(start).join(".");
    if (others.length > 0 && others.every((host) => isWithinDomain(host, parent))) return parent;
  }
  return null;
}
