import { logRecurringError } from "../caching/recurring-errors.ts";
import { readAtMost } from "../core/body.ts";
import { fetchGuarded } from "../core/outbound.ts";
import { SECOND_MS } from "../core/time.ts";
import type { Settings } from "../env.ts";
import { buildOutboundPolicy } from "../tenant/own-hosts.ts";
import { formatProofName } from "./hostname.ts";
import { parseTextAnswer, type TextAnswer } from "./text-answer.ts";

const MEDIA_TYPE = "application/dns-json";
/** Media types of responses. Google's resolver sends the general one. */
const MEDIA_TYPES: readonly (string | undefined)[] = [MEDIA_TYPE, "application/json"];
const RESPONSE_MAX_BYTES = 65_536;
const TIMEOUT_MS = 4 * SECOND_MS;

/** Result of the lookup of a host's TXT record. `reason` is a sentence that says why there's no proof. */
export type Proof = { isProved: true } | { isProved: false; reason: string };

/**
 * Checks whether the TXT record of a host contains the id of its domain. Never throws: if the resolver fails,
 * there's no proof.
 */
export async function lookUpProof(settings: Settings, hostname: string, id: string): Promise<Proof> {
  const name = formatProofName(hostname);
  const answer = await queryResolver(settings, name);
  if (answer.status === "failed") {
    return {
      isProved: false,
      reason: `The DNS lookup of ${name} failed: ${answer.reason}. Try again in a moment.`,
    };
  }
  if (answer.texts.some((text) => text.trim().toLowerCase() === id)) return { isProved: true };
  const state = answer.texts.length === 0 ? "No TXT record was found" : "No matching TXT record was found";
  return {
    isProved: false,
    reason: `${state} at ${name}. It must contain ${id}. New records can take a few minutes to appear.`,
  };
}

async function queryResolver(settings: Settings, name: string): Promise<TextAnswer> {
  try {
    const url = new URL(settings.dnsResolverUrl);
    url.searchParams.set("name", name);
    url.searchParams.set("type", "TXT");
    const response = await fetchGuarded(url.href, {
      policy: buildOutboundPolicy(settings, new Set()),
      timeoutMs: TIMEOUT_MS,
      headers: { Accept: MEDIA_TYPE },
      // A cached response could hide a record that was just added.
      cache: "no-store",
    });
    return await readAnswer(response, name);
  } catch (error) {
    const isTimeout = error instanceof Error && error.name === "TimeoutError";
    if (!isTimeout) logRecurringError("the DNS resolver could not be reached", error);
    return {
      status: "failed",
      reason: isTimeout ? "the resolver did not respond in time" : "the resolver failed",
    };
  }
}

async function readAnswer(response: Response, name: string): Promise<TextAnswer> {
  const type = response.headers.get("Content-Type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (response.status !== 200 || !MEDIA_TYPES.includes(type)) {
    await response.body?.cancel();
    return {
      status: "failed",
      reason: `the resolver responded with ${response.status} ${type ?? ""}`.trim(),
    };
  }
  const { bytes, isCut } = await readAtMost(response, RESPONSE_MAX_BYTES);
  if (isCut) return { status: "failed", reason: "the response is too large" };
  return parseTextAnswer(new TextDecoder().decode(bytes), name);
}
