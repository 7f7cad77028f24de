import { normalizeHostname } from "../core/hosts.ts";
import { SECOND_MS } from "../core/time.ts";
import { sleep } from "../core/timeout.ts";
import worker from "../index.ts";
import { CONTROL_HEADER } from "./control-header.ts";
import { type QueueConfig, type SelfHostBindings, useDurableQueues, wakeQueues } from "./durable-queue.ts";
import { locate, replaceGeoFile } from "./geo-file.ts";
import { queueCalls } from "./paced-databases.ts";
import { readProxied } from "./proxied-request.ts";

export * from "../index.ts";
export { DurableQueue } from "./durable-queue.ts";

/** Time in which all windows of scans have left the isolate's memory: a second, and the time to store them. */
const WINDOW_MS = 1.3 * SECOND_MS;
const DRAIN_MAX_MS = 7 * SECOND_MS;
const DRAIN_POLL_MS = 100;
/** Path at which the reverse proxy asks for a host. The proxy must not pass it on to visitors. */
const ASK_PATH = "/self-host/ask";

/** Worker of `npm start`: the service behind a reverse proxy, with queues that survive a crash. */
export default {
  async fetch(request, env, context) {
    if (request.headers.get(CONTROL_HEADER) === env.CONTROL_SECRET) {
      return request.method === "PUT" ? putGeoFile(request) : holdUntilCounted(env, context);
    }
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === ASK_PATH) {
      const { respondToAsk } = await import("./ask.ts");
      return respondToAsk(env, normalizeHostname(searchParams.get("domain") ?? ""));
    }
    return worker.fetch(readProxied(request, env.PROXY_SECRET, locate), useDurableQueues(env), context);
  },
  async scheduled(controller, env) {
    const bindings = queueCalls(useDurableQueues(env));
    await Promise.all([wakeQueues(env), worker.scheduled(controller, bindings)]);
  },
} satisfies ExportedHandler<Env & SelfHostBindings>;

async function putGeoFile(request: Request): Promise<Response> {
  try {
    return new Response(await replaceGeoFile(await request.arrayBuffer()));
  } catch (error) {
    return new Response(`not in MaxMind's format: ${(error as Error).message}`, { status: 422 });
  }
}

/**
 * Responds immediately, but ends the response only when all scans and page visits are counted. Until then, workerd
 * doesn't exit after SIGTERM, although it accepts no more requests.
 */
function holdUntilCounted(env: SelfHostBindings, context: ExecutionContext): Response {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const hold = async () => {
    await writer.write(new Uint8Array(1));
    const endsAtMs = Date.now() + DRAIN_MAX_MS;
    await sleep(WINDOW_MS);
    while (Date.now() < endsAtMs && (await countWaiting(env)) > 0) await sleep(DRAIN_POLL_MS);
    await writer.close();
  };
  context.waitUntil(hold());
  return new Response(readable);
}

/** Returns the number of messages that wait in queues of scans and page visits. */
async function countWaiting({ QUEUES, QUEUE_CONFIG }: SelfHostBindings): Promise<number> {
  const { consumers } = JSON.parse(QUEUE_CONFIG) as QueueConfig;
  const names = consumers.map(({ queue }) => queue).filter((name) => /-(?:scans|page-hits)$/.test(name));
  const states = await Promise.all(names.map((name) => QUEUES.getByName(name).metrics()));
  return states.reduce((sum, { backlogCount }) => sum + backlogCount, 0);
}
