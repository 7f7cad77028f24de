import { readAtMost } from "../core/body.ts";
import { fetchGuarded, type OutboundPolicy, OutboundRefusedError } from "../core/outbound.ts";
import { SECOND_MS } from "../core/time.ts";
import { SignInError } from "./sign-in-error.ts";

/** Timeouts of one response of the identity provider, and of all its responses during one browser request. */
const RESPONSE_TIMEOUT_MS = 5 * SECOND_MS;
export const REQUEST_TIMEOUT_MS = 10 * SECOND_MS;
/** Maximum size of a response. The keys of large providers have about 20 kB. */
export const RESPONSE_MAX_BYTES = 128 * 1024;
const MEDIA_TYPE = "Content-Type";

/** Fetch function that oauth4webapi uses for requests to the identity provider. */
export type ProviderFetch = (
  address: string,
  init: { method: string; headers: Record<string, string>; body?: BodyInit | null | undefined },
) => Promise<Response>;

/**
 * Creates the fetch function for one browser request. Checks URLs with the outbound guard, follows no
 * redirects, and limits body size and time. Throws a {@link SignInError} if the provider fails.
 */
export function createProviderFetch(policy: OutboundPolicy): ProviderFetch {
  const deadlineMs = Date.now() + REQUEST_TIMEOUT_MS;
  return async (address, { method, headers, body }) => {
    const timeoutMs = Math.max(1, Math.min(RESPONSE_TIMEOUT_MS, deadlineMs - Date.now()));
    const { response, bytes, isCut } = await read(address, {
      method,
      headers,
      policy,
      timeoutMs,
      ...(body && { body }),
    });
    if (response.status >= 500 || response.status === 429)
      throw new SignInError("unavailable", `the identity provider responded with ${response.status}`);
    if (isCut)
      throw new SignInError("unusable", `the identity provider sent more than ${RESPONSE_MAX_BYTES} bytes`);
    // Drops other headers: they describe the undecoded body, such as Content-Encoding, or aren't needed.
    const mediaType = response.headers.get(MEDIA_TYPE) ?? "";
    return new Response(bytes, { status: response.status, headers: { [MEDIA_TYPE]: mediaType } });
  };
}

async function read(address: string, request: Parameters<typeof fetchGuarded>[1]) {
  try {
    const response = await fetchGuarded(address, request);
    return { response, ...(await readAtMost(response, RESPONSE_MAX_BYTES)) };
  } catch (cause) {
    if (cause instanceof OutboundRefusedError)
      throw new SignInError("unusable", "a URL of the identity provider was rejected", { cause });
    throw new SignInError("unavailable", "the identity provider did not respond", { cause });
  }
}
