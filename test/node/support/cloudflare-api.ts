import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { CloudflareAccount } from "./cloudflare-account.ts";

export const ACCOUNT_ID = "0123456789abcdef0123456789abcdef";

const VERSION_ID = "11111111-1111-4111-8111-111111111111";
const QUEUES_PER_PAGE = 2;
const NO_WORKER = [10007, "This Worker does not exist on your account."] as const;

/** Request to the API. `match` contains the groups of the route's pattern. */
interface ApiRequest {
  match: readonly string[];
  query: URLSearchParams;
  body: string;
}

/** Error of the API: its code and message. */
class ApiError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

type Route = [pattern: RegExp, handle: (request: ApiRequest) => unknown];

/**
 * Part of Cloudflare's API that wrangler calls in a deployment (https://developers.cloudflare.com/api/), over
 * HTTP, with an account in memory. Unsupported requests return an error.
 */
export class CloudflareApi {
  readonly account = new CloudflareAccount();
  /** Calls that change something, as `METHOD path`. */
  readonly changes: string[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer(async (request, response) => {
      const url = new URL(request.url ?? "", "http://api");
      const line = `${request.method} ${url.pathname.replace(`/accounts/${ACCOUNT_ID}`, "")}`;
      const answer = this.#answer(line, url.searchParams, await text(request));
      const status = answer.success === false ? 400 : 200;
      response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(answer));
    });
  }

  /** Starts a server on a free port. */
  static async start(): Promise<CloudflareApi> {
    const api = new CloudflareApi();
    await new Promise<void>((done) => api.#server.listen(0, "127.0.0.1", done));
    return api;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #answer(line: string, query: URLSearchParams, body: string): Record<string, unknown> {
    if (line === "POST /graphql") return { data: null, errors: [{ message: "not authorized" }] };
    const isQuery = /\/query$|changeset$/.test(line);
    if (!line.startsWith("GET ") && !isQuery) this.changes.push(line);
    try {
      for (const [pattern, handle] of this.#routes) {
        const match = pattern.exec(line);
        if (match === null) continue;
        const result = handle({ match: [...match].slice(1), query, body });
        return { success: true, errors: [], messages: [], result, result_info: { page: 1, total_pages: 1 } };
      }
      throw new ApiError(7000, `No route for ${line}`);
    } catch (error) {
      const { code = 7500, message } = error as ApiError;
      return { success: false, errors: [{ code, message }], messages: [], result: null };
    }
  }

  readonly #routes: Route[] = [
    [/^GET \/user\/tokens\/verify$/, () => ({ status: "active" })],
    [/^GET \/user$/, () => ({ email: "operator@acme.com" })],
    [/^GET \/memberships$/, () => [{ account: { id: ACCOUNT_ID, name: "Acme" } }]],
    [/^GET \/accounts$/, () => [{ id: ACCOUNT_ID, name: "Acme" }]],
    [/^GET \/zones$/, ({ query }) => [{ id: "zone", name: query.get("name") }]],
    [/^GET \/zones\/zone\/workers\/routes$/, () => []],

    [
      /^GET \/d1\/database$/,
      ({ query }) => {
        const [page, size] = ["page", "per_page"].map((name) => Number(query.get(name))) as [number, number];
        const databases = [...this.account.databases].map(([name, { uuid }]) => ({ name, uuid }));
        return databases.slice((page - 1) * size, page * size);
      },
    ],
    [
      /^POST \/d1\/database$/,
      ({ body }) => {
        const { name, primary_location_hint: location } = JSON.parse(body);
        const created = this.account.createDatabase(name, location);
        if (created === null) throw new ApiError(7502, "A database with that name exists");
        return { uuid: created.uuid, name };
      },
    ],
    [
      /^GET \/d1\/database\/([^/]+)$/,
      ({ match }) => {
        const { name, uuid, hasReplicas } = this.#findDatabase(match);
        return { name, uuid, file_size: 8192, read_replication: { mode: hasReplicas ? "auto" : "disabled" } };
      },
    ],
    [
      /^POST \/d1\/database\/([^/]+)\/query$/,
      ({ match, body }) => {
        const { sqlite } = this.#findDatabase(match);
        const { sql } = JSON.parse(body);
        const results = /^\s*SELECT/i.test(sql) ? sqlite.prepare(sql).all() : [];
        if (!/^\s*SELECT/i.test(sql)) sqlite.exec(sql);
        return [{ results, success: true, meta: { duration: 0.1 } }];
      },
    ],

    [
      /^GET \/r2\/buckets\/([^/]+)$/,
      ({ match: [name = ""] }) => {
        if (!this.account.buckets.has(name))
          throw new ApiError(10006, "The specified bucket does not exist.");
        return {
          name,
          creation_date: "2026-11-21T00:00:00.000Z",
          location: "WEUR",
          storage_class: "Standard",
        };
      },
    ],
    [/^POST \/r2\/buckets$/, ({ body }) => this.account.buckets.add(JSON.parse(body).name) && {}],

    [
      /^GET \/queues$/,
      ({ query }) => {
        const names = query.getAll("name");
        const page = Number(query.get("page") ?? 1);
        const queues = [...this.account.queues.keys()].map((name) => formatQueue(name));
        if (names.length > 0) return queues.filter(({ queue_name }) => names.includes(queue_name));
        return queues.slice((page - 1) * QUEUES_PER_PAGE, page * QUEUES_PER_PAGE);
      },
    ],
    [
      /^POST \/queues$/,
      ({ body }) => {
        const { queue_name: name, settings } = JSON.parse(body);
        this.account.queues.set(name, settings?.message_retention_period ?? null);
        return formatQueue(name);
      },
    ],
    [/^POST \/queues\/[^/]+\/consumers$/, () => ({})],

    [/^GET \/workers\/services\/([^/]+)$/, ({ match }) => this.#describeService(match)],
    [/^GET \/workers\/scripts$/, () => [...this.account.workers.keys()].map((id) => ({ id }))],
    [
      /^PUT \/workers\/scripts\/([^/]+)$/,
      ({ match: [name = ""], body }) => {
        const isNew = !this.account.workers.has(name);
        const { tags } = this.account.ensureWorker(name);
        if (!isNew) tags.push(/"workers\/tag":"([^"]+)"/.exec(body)?.[1] ?? null);
        return { id: name, etag: "0", startup_time_ms: 12, deployment_id: VERSION_ID.replaceAll("-", "") };
      },
    ],
    [
      /^GET \/workers\/scripts\/([^/]+)\/settings$/,
      ({ match }) => this.#findWorker(match) && { bindings: [] },
    ],
    [/^PATCH \/workers\/scripts\/([^/]+)\/script-settings$/, () => ({})],
    [
      /^GET \/workers\/scripts\/([^/]+)\/secrets$/,
      ({ match }) =>
        [...this.#findWorker(match).secrets.keys()].map((name) => ({ name, type: "secret_text" })),
    ],
    [
      /^PATCH \/workers\/scripts\/([^/]+)\/secrets-bulk$/,
      ({ match, body }) => {
        const secrets: Record<string, { text: string }> = JSON.parse(body).secrets;
        for (const [name, { text }] of Object.entries(secrets))
          this.#findWorker(match).secrets.set(name, text);
        return [];
      },
    ],
    [
      /^GET \/workers\/scripts\/([^/]+)\/deployments$/,
      ({ match }) =>
        this.#findWorker(match) && {
          deployments: [{ versions: [{ version_id: VERSION_ID, percentage: 100 }] }],
        },
    ],
    [
      /^GET \/workers\/scripts\/([^/]+)\/versions\/[^/]+$/,
      ({ match }) => ({
        id: VERSION_ID,
        metadata: { created_on: "2026-11-21T00:00:00Z" },
        annotations: { "workers/tag": this.#findWorker(match).tags.at(-1) ?? undefined },
      }),
    ],
    [/^GET \/workers\/workers\/[^/]+$/, () => ({ subdomain: { enabled: false, previews_enabled: false } })],
    [
      /^(?:GET|POST) \/workers\/scripts\/[^/]+\/subdomain$/,
      () => ({ enabled: false, previews_enabled: false }),
    ],
    [
      /^PUT \/workers\/scripts\/([^/]+)\/routes$/,
      ({ match }) => {
        this.#findWorker(match).triggerCount++;
        return [];
      },
    ],
    [
      /^POST \/workers\/scripts\/[^/]+\/domains\/changeset$/,
      () => ({ added: [], removed: [], updated: [], conflicting: [] }),
    ],
    [/^PUT \/workers\/scripts\/[^/]+\/(?:domains\/records|schedules)$/, () => []],
  ];

  #findDatabase([key = ""]: readonly string[]) {
    const database = this.account.findDatabase(key);
    if (database === null) throw new ApiError(7404, "The database could not be found");
    return database;
  }

  #findWorker([name = ""]: readonly string[]) {
    const worker = this.account.workers.get(name);
    if (worker === undefined) throw new ApiError(...NO_WORKER);
    return worker;
  }

  #describeService(match: readonly string[]) {
    this.#findWorker(match);
    const script = { tag: "0", tags: [], last_deployed_from: "wrangler" };
    return { default_environment: { environment: "production", script } };
  }
}

function formatQueue(name: string) {
  const created = "2026-11-21T00:00:00.000000Z";
  return {
    queue_id: `id-of-${name}`,
    queue_name: name,
    created_on: created,
    modified_on: created,
    producers_total_count: 0,
    consumers_total_count: 0,
    producers: [],
    consumers: [],
  };
}
