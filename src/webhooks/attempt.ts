import { readChunks } from "../core/body.ts";
import { fetchGuarded, OutboundRefusedError } from "../core/outbound.ts";
import { SECOND_MS } from "../core/time.ts";
import type { Settings } from "../env.ts";
import { buildOutboundPolicy } from "../tenant/own-hosts.ts";
import { UnreadableSecretError } from "./endpoints.ts";
import type { EventType } from "./events.ts";
import { buildSignatureHeaders } from "./signature.ts";

const TIMEOUT_MS = 10 * SECOND_MS;
const READ_MAX_BYTES = 65_536;
/**
 * Maximum size of a response body in the delivery log. The first failure gets more space, because its body may
 * contain the reason. Retries usually repeat it, and SQLite would give a longer row a page of 4 KiB.
 */
const LOGGED_SUCCESS_MAX_BYTES = 1_024;
const LOGGED_FAILURE_MAX_BYTES = 16_384;
const LOGGED_RETRY_MAX_BYTES = 512;

/** Request to send to an endpoint. */
export interface AttemptRequest {
  url: string;
  /** Contains the host of `url` if a workspace of this deployment added that host; otherwise empty. */
  ownDomains: ReadonlySet<string>;
  deliveryId: string;
  eventType: EventType;
  /** Exact request body to sign and send. */
  payload: string;
  /** True unless an attempt of the same schedule failed before. */
  isFirst: boolean;
  /** Returns the current secret, followed by replaced secrets that still sign. */
  secrets(): Promise<[string, ...string[]]>;
}

/** Outcome of an attempt. */
export interface AttemptOutcome {
  attemptedAtMs: number;
  latencyMs: number;
  /** True if the endpoint responded with any 2xx status. */
  succeeded: boolean;
  /** HTTP status, or null if there was no response. `error` then has the reason. */
  responseStatus: number | null;
  error: string | null;
  /** Beginning of the response body. */
  responseBody: string | null;
}

type EndpointResponse = Pick<AttemptOutcome, "responseStatus" | "error" | "responseBody">;

/** Posts a delivery to its endpoint once. Never throws: every failure is returned as an outcome. */
export async function attempt(request: AttemptRequest, settings: Settings): Promise<AttemptOutcome> {
  const attemptedAtMs = Date.now();
  const response = await post(request, settings, attemptedAtMs).catch(
    (error): EndpointResponse => ({
      responseStatus: null,
      error: describeFailure(error),
      responseBody: null,
    }),
  );
  const succeeded = isSuccess(response.responseStatus);
  return { attemptedAtMs, latencyMs: Date.now() - attemptedAtMs, succeeded, ...response };
}

function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

async function post(request: AttemptRequest, settings: Settings, nowMs: number): Promise<EndpointResponse> {
  const { url, ownDomains, deliveryId, eventType, payload, isFirst, secrets } = request;
  const timestampSeconds = Math.floor(nowMs / SECOND_MS);
  const response = await fetchGuarded(url, {
    policy: buildOutboundPolicy(settings, ownDomains),
    timeoutMs: TIMEOUT_MS,
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "User-Agent": "svc-Webhooks/1.0",
      "X-SVC-Event": eventType,
      "X-SVC-Delivery": deliveryId,
      ...(await buildSignatureHeaders({ deliveryId, timestampSeconds, body: payload }, await secrets())),
    },
    body: payload,
  });
  const failureMaxBytes = isFirst ? LOGGED_FAILURE_MAX_BYTES : LOGGED_RETRY_MAX_BYTES;
  const maxBytes = isSuccess(response.status) ? LOGGED_SUCCESS_MAX_BYTES : failureMaxBytes;
  const responseBody = await readBeginning(response, maxBytes);
  return { responseStatus: response.status, error: null, responseBody };
}

/**
 * Returns the beginning of the response body, for the delivery log. The status alone decides the outcome, so
 * a body that breaks off or times out isn't an error: the bytes received so far are kept.
 */
async function readBeginning(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of readChunks(response, READ_MAX_BYTES)) chunks.push(chunk);
  } catch {}
  const bytes = new Uint8Array(await new Blob(chunks).arrayBuffer());
  // The stream option drops a character that is cut in two. Null characters are replaced, because SQLite
  // would end the text there.
  const text = new TextDecoder().decode(bytes.subarray(0, maxBytes), { stream: true });
  return text.replaceAll("\0", "\ufffd");
}

function describeFailure(error: unknown): string {
  if (error instanceof OutboundRefusedError) return `refused: url ${error.message}`;
  if (error instanceof Error && error.name === "TimeoutError") {
    return `timeout: no response within ${TIMEOUT_MS / SECOND_MS} seconds`;
  }
  if (error instanceof UnreadableSecretError) return error.message;
  return "connection failed";
}
