import { createHash } from "node:crypto";
import { createSqliteD1, nextTurn } from "./sqlite-d1.ts";

/** Bindings of the Worker in memory, for tests that run its code in Node: databases, queues, objects, files and a cache. */

/** Host of the API, with its port. */
export const API_HOST = "localhost:8787";

/** Background work by its execution context. */
const pendingWork = new WeakMap<ExecutionContext, Set<Promise<unknown>>>();

/** Creates an execution context whose background work {@link settle} waits for. */
export function createContext(): ExecutionContext {
  const pending = new Set<Promise<unknown>>();
  const created = {
    waitUntil(promise: Promise<unknown>) {
      const settled = promise.catch(() => {}).finally(() => pending.delete(settled));
      pending.add(settled);
    },
    passThroughOnException() {},
  } as ExecutionContext;
  pendingWork.set(created, pending);
  return created;
}

/** Execution context of queues and Durable Objects. */
export const context = createContext();

/** Waits until the background work of an execution context has ended. */
export async function settle(of: ExecutionContext): Promise<void> {
  const pending = pendingWork.get(of);
  while (pending !== undefined && pending.size > 0) await Promise.all(pending);
}

/** Module of the Worker. */
type Service = typeof import("../../src/index.ts");
type LoadService = () => Promise<Service>;

/** Creates a batch of a queue. Its `result` is what the consumer acknowledged and retries, as workerd returns it. */
export function createBatch(queue: string, messages: readonly object[]) {
  const result = {
    ackAll: false,
    retryBatch: { retry: false },
    explicitAcks: [] as string[],
    retryMessages: [] as { msgId: string }[],
  };
  const received = messages.map((message) => ({
    attempts: 1,
    ...message,
    ack(this: Message) {
      result.explicitAcks.push(this.id);
    },
    retry(this: Message) {
      result.retryMessages.push({ msgId: this.id });
    },
  }));
  return {
    queue,
    messages: received,
    result,
    ackAll() {
      result.ackAll = true;
    },
    retryAll() {
      result.retryBatch = { retry: true };
    },
  } as unknown as MessageBatch & { result: typeof result };
}

/** Functions that empty the storage of the bindings. */
const resets: (() => void)[] = [];

/** Empties databases, buckets and Durable Objects. */
export function reset(): void {
  for (const empty of resets) empty();
}

/** Functions that save the storage of the bindings, and return a function that restores it. */
const saves: (() => () => void)[] = [];

/**
 * Saves databases and buckets. Returns a function that restores them and empties the Durable Objects. It works as often as
 * it is called, until the next `saveStorage` or {@link reset}, with which the file ends.
 */
export function saveStorage(): () => void {
  const restores = saves.map((save) => save());
  return () => {
    for (const restore of restores) restore();
  };
}

/** Returns an empty database, which {@link reset} empties. */
export function createDatabase(migrations: string): D1Database {
  const d1 = createSqliteD1(migrations);
  resets.push(d1.reset);
  saves.push(d1.save);
  return d1;
}

/** Returns a queue whose messages are consumed immediately. A delayed message is dropped. */
function createQueue(queue: string, env: Env, load: LoadService): Queue {
  const send = (bodies: readonly unknown[]) => {
    const messages = bodies.map((body) => ({ id: crypto.randomUUID(), timestamp: new Date(), body }));
    const batch = createBatch(queue, messages);
    context.waitUntil(load().then(({ default: worker }) => worker.queue(batch, env, context)));
  };
  return {
    send: async (body: unknown) => send([body]),
    sendBatch: async (batch: Iterable<MessageSendRequest>) => {
      const due = [...batch].filter(({ delaySeconds = 0 }) => delaySeconds === 0);
      if (due.length > 0) send(due.map(({ body }) => body));
    },
  } as unknown as Queue;
}

/** Durable Object in memory. Its alarm never fires by itself. */
interface MemoryObject {
  storage: ReturnType<typeof createStorage>;
  /** Creates the object unless it is in memory. */
  load(): Promise<object>;
  /** Removes the object from memory. It keeps its storage. */
  evict(): void;
}

/** Durable Objects by their stubs. */
const objects = new WeakMap<object, MemoryObject>();

/** Returns the Durable Object of a stub. */
export function getObject(stub: object): MemoryObject {
  return objects.get(stub) as MemoryObject;
}

function createStorage() {
  const kv = new Map<string, unknown>();
  let alarmMs: number | null = null;
  return {
    kv: {
      get: (key: string) => structuredClone(kv.get(key)),
      put: (key: string, value: unknown) => void kv.set(key, structuredClone(value)),
      delete: (key: string) => kv.delete(key),
      list: () => kv.entries(),
    },
    get: async (key: string) => structuredClone(kv.get(key)),
    put: async (key: string, value: unknown) => void kv.set(key, structuredClone(value)),
    getAlarm: async () => alarmMs,
    setAlarm: async (timeMs: number) => {
      alarmMs = timeMs;
    },
    deleteAlarm: async () => {
      alarmMs = null;
    },
    deleteAll: async () => kv.clear(),
  };
}

/** Durable Object, as its stub calls it. */
type Methods = Record<string | symbol, (...values: unknown[]) => unknown>;

/** Returns Durable Objects in memory. */
function createNamespace(create: (state: DurableObjectState) => Promise<object>) {
  const stubs = new Map<string, object>();
  resets.push(() => stubs.clear());
  saves.push(() => () => stubs.clear());
  const createStub = () => {
    const storage = createStorage();
    let creating: Promise<object> | undefined;
    const load = () => {
      creating ??= create({ storage, ...context } as unknown as DurableObjectState);
      return creating;
    };
    const call = async (name: string | symbol, values: unknown[]) => {
      await nextTurn();
      return ((await load()) as Methods)[name]?.(...values);
    };
    const stub = new Proxy(
      {},
      {
        get:
          (_, name) =>
          (...values: unknown[]) =>
            call(name, values),
      },
    );
    const evict = () => {
      creating = undefined;
    };
    objects.set(stub, { storage, load, evict });
    return stub;
  };
  const getByName = (name: string) => {
    const known = stubs.get(name) ?? createStub();
    stubs.set(name, known);
    return known;
  };
  return { getByName };
}

/** Bytes to read from a file. */
interface PartOfFile {
  offset?: number;
  length?: number;
}

/** File of a bucket in memory. */
interface StoredFile {
  bytes: ArrayBuffer;
  etag: string;
  httpMetadata: R2HTTPMetadata;
  uploaded: Date;
}

/** Returns a bucket in memory, with what the Worker uses of R2. */
export function createBucket(): R2Bucket {
  const files = new Map<string, StoredFile>();
  resets.push(() => files.clear());
  saves.push(() => {
    const saved = [...files];
    return () => {
      files.clear();
      for (const [key, file] of saved) files.set(key, file);
    };
  });
  const describe = (key: string) => {
    const object = files.get(key);
    if (object === undefined) return null;
    const { bytes, etag, httpMetadata, uploaded } = object;
    return { key, size: bytes.byteLength, etag, httpEtag: `"${etag}"`, httpMetadata, uploaded };
  };
  return {
    head: async (key: string) => describe(key),
    async get(key: string, { onlyIf, range }: { onlyIf?: R2Conditional; range?: PartOfFile } = {}) {
      const object = describe(key);
      if (object === null || (onlyIf?.etagMatches ?? object.etag) !== object.etag) return object;
      const { offset = 0, length = object.size } = range ?? {};
      const bytes = (files.get(key) as StoredFile).bytes.slice(offset, offset + length);
      return { ...object, body: new Response(bytes).body, arrayBuffer: async () => bytes };
    },
    async put(key: string, body: BodyInit, options: R2PutOptions & { size?: number } = {}) {
      const { onlyIf, httpMetadata = {}, size } = options;
      // An import passes the size with the stream.
      if (body instanceof ReadableStream && size === undefined && !sizedStreams.has(body))
        throw new TypeError("Provided readable stream must have a known length");
      const bytes = await new Response(body).arrayBuffer();
      if (onlyIf instanceof Headers && onlyIf.get("If-None-Match") === "*" && files.has(key)) return null;
      const etag = crypto.randomUUID().replaceAll("-", "");
      files.set(key, { bytes, etag, httpMetadata: httpMetadata as R2HTTPMetadata, uploaded: new Date() });
      return describe(key);
    },
    delete: async (keys: string | string[]) => void [keys].flat().map((key) => files.delete(key)),
    list: async ({ prefix = "" }: R2ListOptions = {}) => {
      const keys = [...files.keys()].filter((key) => key.startsWith(prefix));
      return { objects: keys.map(describe), truncated: false };
    },
  } as unknown as R2Bucket;
}

/** Returns a data centre's cache in memory. It keeps a response for as long as the response says. */
function createCache(): Cache {
  const responses = new Map<string, { response: Response; until: number }>();
  const name = (request: RequestInfo) => (typeof request === "string" ? request : request.url);
  return {
    match: async (request: RequestInfo) => {
      const stored = responses.get(name(request));
      return stored !== undefined && stored.until > Date.now() ? stored.response.clone() : undefined;
    },
    put: async (request: RequestInfo, response: Response) => {
      const seconds = Number(/max-age=(\d+)/.exec(response.headers.get("Cache-Control") ?? "")?.[1] ?? 0);
      responses.set(name(request), { response, until: Date.now() + seconds * 1_000 });
    },
    delete: async (request: RequestInfo) => responses.delete(name(request)),
  } as unknown as Cache;
}

/** Streams that a bucket accepts, because their length is known. */
const sizedStreams = new WeakSet<ReadableStream>();

/** Stream that fails if another number of bytes is written, as in Workers. */
class FixedLengthStream extends TransformStream<Uint8Array, Uint8Array> {
  constructor(length: number) {
    let written = 0;
    super({
      transform(chunk, controller) {
        written += chunk.byteLength;
        if (written > length)
          throw new TypeError("Attempt to write too many bytes through a FixedLengthStream.");
        controller.enqueue(chunk);
      },
      flush() {
        if (written < length)
          throw new TypeError("FixedLengthStream did not see all expected bytes before close().");
      },
    });
    sizedStreams.add(this.readable);
  }
}

/** Class `Request` of Workers: a body can be a stream without further options, and `cf` is kept. */
const WorkersRequest = new Proxy(Request, {
  construct(target, [input, init = {}]: [RequestInfo, (RequestInit & { cf?: object })?]) {
    // The properties of a request cannot be spread.
    const isPlain = !(init instanceof target);
    const request = new target(input, isPlain ? ({ ...init, duplex: "half" } as RequestInit) : init);
    return isPlain && init.cf !== undefined ? Object.assign(request, { cf: init.cf }) : request;
  },
});

const { digest: digestInThread } = crypto.subtle;

/** Hashes SHA-256 at once, because Node hands each digest to another thread, which takes three times as long. */
const digest: SubtleCrypto["digest"] = async (algorithm, data) =>
  algorithm === "SHA-256"
    ? Uint8Array.from(
        createHash("sha256")
          .update(new Uint8Array(data as ArrayBuffer))
          .digest(),
      ).buffer
    : digestInThread.call(crypto.subtle, algorithm, data);

/**
 * Creates the bindings, and the globals of Workers that Node lacks. `load` returns the Worker's module, which may import
 * the bindings.
 */
export function createBindings(load: LoadService): Env {
  const env = {} as Env;
  const namespace = (name: Exclude<keyof Service, "default">) =>
    createNamespace(async (state) => new (await load())[name](state, env as Cloudflare.Env));
  const queue = (name: string) => createQueue(`signpost-${name}`, env, load);
  Object.assign(globalThis, {
    caches: { default: createCache() },
    FixedLengthStream,
    Request: WorkersRequest,
  });
  crypto.subtle.digest = digest;
  const bindings = {
    DIRECTORY: createDatabase("migrations/directory"),
    SHARD_0: createDatabase("migrations/shard"),
    SHARD_1: createDatabase("migrations/shard"),
    PRIVATE_FILES: createBucket(),
    PUBLIC_FILES: createBucket(),
    SCANS: { writeDataPoint() {} },
    SCAN_QUEUE: queue("scans"),
    SCAN_SPARE_QUEUE: queue("scans-spare"),
    PAGE_HIT_QUEUE: queue("page-hits"),
    PAGE_HIT_SPARE_QUEUE: queue("page-hits-spare"),
    DELIVERY_QUEUE: queue("deliveries"),
    UNKNOWN_LIMIT: { limit: async () => ({ success: true }) },
    API_URL: `http://${API_HOST}`,
    SHORT_DOMAIN: API_HOST,
    BIO_URL: `http://bio.${API_HOST}`,
    CDN_URL: `http://cdn.${API_HOST}`,
    APP_URL: `http://app.${API_HOST}`,
    ALLOW_LOOPBACK: "true",
    WEBHOOK_KEY_PREVIOUS: "",
    STATUS_TOKEN: "status token that only tests use",
    DNS_RESOLVER_URL: "http://127.0.0.1:9/dns-query",
    UPLOAD_SECRET: "upload secret that only tests use",
    WEBHOOK_KEY: "webhook key that only tests use, nothing else",
    LIMITER: namespace("WorkspaceLimiter"),
    ENDPOINT_HEALTH: namespace("EndpointHealth"),
    CHANGE_COLLECTOR: namespace("ChangeCollector"),
    SCAN_GATE: namespace("ScanGate"),
    PASSWORD_TRIES: namespace("PasswordTries"),
    VISITOR_SALT: namespace("VisitorSalt"),
    TEST_MIGRATIONS: {},
  } satisfies Record<keyof Env | "DNS_RESOLVER_URL" | "TEST_MIGRATIONS", unknown>;
  return Object.assign(env, bindings) as unknown as Env;
}
