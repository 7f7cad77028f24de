import {
  type AuthorizationServer,
  allowInsecureRequests,
  customFetch,
  discoveryRequest,
  processDiscoveryResponse,
} from "oauth4webapi";
import { FlightTimeoutError, SingleFlight } from "../caching/single-flight.ts";
import { findOutboundProblem, type OutboundPolicy } from "../core/outbound.ts";
import { HOUR_MS, SECOND_MS } from "../core/time.ts";
import type { IdentityProvider } from "../env.ts";
import { type ProviderFetch, REQUEST_TIMEOUT_MS } from "./provider-fetch.ts";
import { SignInError } from "./sign-in-error.ts";

/** Provider metadata, as far as a sign-in needs it. */
export type ProviderMetadata = AuthorizationServer & { authorization_endpoint: string };

/** Returns true if the provider requires pushed authorization requests (RFC 9126 section 5). */
export function requiresPush(metadata: AuthorizationServer): boolean {
  return metadata.require_pushed_authorization_requests === true;
}

/**
 * Accepted signature algorithms of ID tokens. The list contains only asymmetric ones, whatever the provider
 * announces.
 */
const ALGORITHMS = ["RS256", "PS256", "ES256", "EdDSA", "Ed25519"];
/** Age from which metadata is read again. */
const METADATA_MAX_AGE_MS = HOUR_MS;
/** Time for which a failure is cached, so that visitors don't cause requests to a failing provider. */
const FAILURE_MAX_AGE_MS = 5 * SECOND_MS;
const ENDPOINTS = ["authorization_endpoint", "token_endpoint", "jwks_uri"] as const;
const PUSH_ENDPOINT = "pushed_authorization_request_endpoint";

/** Result of the last read. */
interface Remembered {
  atMs: number;
  outcome: { metadata: ProviderMetadata } | { error: unknown };
}

/** Metadata cached in this isolate, by configured provider. */
const remembered = new WeakMap<IdentityProvider, Remembered>();
/** Reads in progress, by issuer. */
const reads = new SingleFlight<ProviderMetadata>();

/**
 * Returns the provider's metadata (OpenID Connect Discovery 1.0), from the isolate's cache if possible.
 * Concurrent requests share one read, so that visitors can't flood a slow provider. oauth4webapi caches the
 * provider's keys with this object for five minutes, and reads them again for an unknown key, at most once a
 * minute.
 */
export async function getMetadata(
  provider: IdentityProvider,
  fetch: ProviderFetch,
  policy: OutboundPolicy,
): Promise<ProviderMetadata> {
  const nowMs = Date.now();
  const last = remembered.get(provider);
  if (last !== undefined && isCurrent(last, nowMs)) {
    if ("metadata" in last.outcome) return last.outcome.metadata;
    throw last.outcome.error;
  }
  try {
    return await reads.join(
      provider.issuer,
      REQUEST_TIMEOUT_MS,
      async (publish) => {
        const metadata = await readMetadata(provider, fetch, policy);
        remembered.set(provider, { atMs: nowMs, outcome: { metadata } });
        publish(metadata);
      },
      // Requests that wait for the read keep it alive.
      () => {},
    );
  } catch (cause) {
    const isTimeout = cause instanceof FlightTimeoutError;
    const error = isTimeout ? new SignInError("unavailable", "the provider was too slow", { cause }) : cause;
    // Uses the time of the failure. With the start time, a failure after a timeout would already have
    // expired.
    remembered.set(provider, { atMs: Date.now(), outcome: { error } });
    throw error;
  }
}

/** Returns the provider's metadata if the isolate has cached it, otherwise null. */
export function recallMetadata(provider: IdentityProvider): ProviderMetadata | null {
  const last = remembered.get(provider);
  if (last === undefined || !isCurrent(last, Date.now())) return null;
  return "metadata" in last.outcome ? last.outcome.metadata : null;
}

function isCurrent({ atMs, outcome }: Remembered, nowMs: number): boolean {
  const maxAgeMs = "metadata" in outcome ? METADATA_MAX_AGE_MS : FAILURE_MAX_AGE_MS;
  return nowMs >= atMs && nowMs < atMs + maxAgeMs;
}

async function readMetadata(
  { issuer }: IdentityProvider,
  fetch: ProviderFetch,
  policy: OutboundPolicy,
): Promise<ProviderMetadata> {
  if (!URL.canParse(issuer)) throw new SignInError("unusable", "OIDC_ISSUER is not a URL");
  const url = new URL(issuer);
  const metadata = await discover(url, fetch, policy).catch((cause: unknown) => {
    if (cause instanceof SignInError) throw cause;
    throw new SignInError("unusable", "the metadata of the identity provider cannot be used", { cause });
  });
  return pinMetadata(metadata, issuer, policy);
}

async function discover(
  url: URL,
  fetch: ProviderFetch,
  policy: OutboundPolicy,
): Promise<AuthorizationServer> {
  const options = { [customFetch]: fetch, [allowInsecureRequests]: policy.allowLoopback };
  return processDiscoveryResponse(url, await discoveryRequest(url, options));
}

/**
 * Returns the metadata with only the signature algorithms that both sides accept. Throws a
 * {@link SignInError} if the metadata isn't safe to use.
 */
export function pinMetadata(
  metadata: AuthorizationServer,
  issuer: string,
  policy: OutboundPolicy,
): ProviderMetadata {
  // oauth4webapi ignores trailing slashes here, but compares the issuer of a token exactly.
  if (metadata.issuer !== issuer)
    throw new SignInError("unusable", "OIDC_ISSUER is not exactly the provider's issuer");
  const endpoints = requiresPush(metadata) ? [...ENDPOINTS, PUSH_ENDPOINT] : ENDPOINTS;
  for (const name of endpoints) requireUrl(name, metadata[name], policy);
  const announced = metadata.id_token_signing_alg_values_supported ?? ["RS256"];
  const algorithms = Array.isArray(announced) ? ALGORITHMS.filter((name) => announced.includes(name)) : [];
  if (algorithms.length === 0)
    throw new SignInError("unusable", `the provider signs ID tokens with none of ${ALGORITHMS.join(", ")}`);
  return { ...metadata, id_token_signing_alg_values_supported: algorithms } as ProviderMetadata;
}

function requireUrl(name: string, value: unknown, policy: OutboundPolicy): void {
  const problem = typeof value === "string" ? findOutboundProblem(value, policy) : "is missing";
  if (problem !== null) throw new SignInError("unusable", `${name} of the identity provider ${problem}`);
}

/**
 * Returns the URL that ends the session at the provider (RP-Initiated Logout 1.0), or null if there is none.
 */
export function formatEndSessionUrl(
  metadata: AuthorizationServer,
  clientId: string,
  policy: OutboundPolicy,
): string | null {
  const { end_session_endpoint: address } = metadata;
  if (typeof address !== "string" || findOutboundProblem(address, policy) !== null) return null;
  const url = new URL(address);
  url.searchParams.set("client_id", clientId);
  return url.href;
}
