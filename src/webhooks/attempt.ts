import { firstChunks } from "../core/body.ts";
import { guardedFetch, OutboundRefusal } from "../core/outbound.ts";
import { SECOND_MS } from "../core/time.ts";
import type { Settings } from "../env.ts";
import { endpointPolicy } from "../tenant/own-hosts.ts";
import { UnreadableSecret } from "./endpoints.ts";
import type { EventType } from "./events.ts";
import { signatureHeaders } from "./signature.ts";

const TIMEOUT_MS = 10 * SECOND_MS;
const READ_MAX_BYTES = 65_536;
const LOGGED_MAX_BYTES = 16_384;

/** One request to an endpoint. */
export interface AttemptRequest {
  url: string;
  /** Host of `url` if a workspace of this deployment has it, else nothing. */
  ownDomains: ReadonlySet<string>;
  deliveryId: string;
  eventType: EventType;
  /** The exact text to sign and send. */
  payload: string;
  /** The current secret, then any that still signs beside it. */
  secrets(): Promise<[string, ...string[]]>;
}

/** What came of it. */
export interface AttemptOutcome {
  attemptedAtMs: number;
  latencyMs: number;
  /** Whether the endpoint answered with any 2xx. */
  succeeded: boolean;
  /** Null for no answer: then `error` says why. */
  responseStatus: number | null;
  error: string | null;
  /** Beginning of the answer's body. */
  responseBody: string | null;
}

type Answer = Pick<AttemptOutcome, "responseStatus" | "error" | "responseBody">;

/** Posts a delivery to its endpoint, once (contract section 6). Whatever happens is an outcome: never throws. */
export async function attempt(request: AttemptRequest, settings: Settings): Promise<AttemptOutcome> {
  const attemptedAtMs = Date.now();
  const answer = await post(request, settings, attemptedAtMs).catch(
    (error): Answer => ({ responseStatus: null, error: reasonOf(error), responseBody: null }),
  );
  const { responseStatus } = answer;
  const succeeded = responseStatus !== null && responseStatus >= 200 && responseStatus < 300;
  return { attemptedAtMs, latencyMs: Date.now() - attemptedAtMs, succeeded, ...answer };
}

async function post(request: AttemptRequest, settings: Settings, nowMs: number): Promise<Answer> {
  const { url, ownDomains, deliveryId, eventType, payload, secrets } = request;
  const timestampSeconds = Math.floor(nowMs / SECOND_MS);
  const response = await guardedFetch(url, {
    policy: endpointPolicy(settings, ownDomains),
    timeoutMs: TIMEOUT_MS,
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "User-Agent": "svc-Webhooks/1.0",
      "X-SVC-Event": eventType,
      "X-SVC-Delivery": deliveryId,
      ...(await signatureHeaders({ deliveryId, timestampSeconds, body: payload }, await secrets())),
    },
    body: payload,
  });
  return { responseStatus: response.status, error: null, responseBody: await bodyOf(response) };
}

/**
 * Beginning of the body, for the log. The status has decided already, so a body that breaks off, or does not end in time,
 * is no error: what came of it is kept.
 */
async function bodyOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of firstChunks(response, READ_MAX_BYTES)) chunks.push(chunk);
  } catch {}
  const bytes = new Uint8Array(await new Blob(chunks).arrayBuffer());
  // A character cut in two at the end is left out, and SQLite would end a text at a null character.
  const text = new TextDecoder().decode(bytes.subarray(0, LOGGED_MAX_BYTES), { stream: true });
  return text.replaceAll("\0", "\ufffd");
}

function reasonOf(error: unknown): string {
  if (error instanceof OutboundRefusal) return `refused: url ${error.message}`;
  if (error instanceof Error && error.name === "TimeoutError") {
    return `timeout: no answer within ${TIMEOUT_MS / SECOND_MS} seconds`;
  }
  if (error instanceof UnreadableSecret) return error.message;
  return "connection failed";
}
