import { sha256Hex } from "../core/crypto.ts";
import { formatPrometheus } from "./measures.ts";
import { readStatus, type StatusBindings } from "./read-status.ts";

/** Minimum length of `STATUS_TOKEN`. */
const TOKEN_MIN_LENGTH = 32;

/** Bindings of the status, and its optional secret. */
interface Bindings extends StatusBindings {
  STATUS_TOKEN?: string;
}

/**
 * Serves the status to `Authorization: Bearer STATUS_TOKEN`: as JSON, or as text for Prometheus if `Accept` asks for
 * `text/plain`. The status is 200 also if something is wrong, because scrapers drop other responses; `ok` says so.
 * Without the secret, and for other methods, responds with 404.
 */
export async function serveStatus(request: Request, env: Bindings): Promise<Response> {
  const token = env.STATUS_TOKEN ?? "";
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (token.length < TOKEN_MIN_LENGTH || !isRead) return respond(404, "Not Found\n");
  const given = /^Bearer +(\S+)$/i.exec(request.headers.get("Authorization") ?? "")?.[1] ?? "";
  // Compares digests, so that the time says nothing about the token.
  if ((await sha256Hex(given)) !== (await sha256Hex(token))) {
    return respond(401, "Unauthorized\n", { "WWW-Authenticate": 'Bearer error="invalid_token"' });
  }
  const status = await readStatus(env, Date.now());
  if (/text\/plain/.test(request.headers.get("Accept") ?? "")) return respond(200, formatPrometheus(status));
  return respond(200, JSON.stringify(status), { "Content-Type": "application/json" });
}

function respond(status: number, text: string, headers: Record<string, string> = {}): Response {
  return new Response(text, {
    status,
    headers: {
      "Content-Type": "text/plain; version=0.0.4; charset=utf-8",
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
      ...headers,
    },
  });
}
