import { ApiError } from "../core/error.ts";
import { logError } from "../core/log.ts";
import { SECOND_MS } from "../core/time.ts";
import { repeatOnce } from "../db/retry.ts";
import type { Tenant } from "../tenant/tenant.ts";
import type { WorkspaceLimiter } from "./limiter.ts";

/** Time after which an export that was not extended counts as ended. */
const EXPORT_LEASE_MS = 30 * SECOND_MS;

/** Right of one request to export the workspace's data, until it ends or isn't extended in time. */
export class ExportLease {
  readonly #limiter: DurableObjectStub<WorkspaceLimiter>;
  readonly #id: string;
  #takenAtMs = Date.now();

  private constructor(limiter: DurableObjectStub<WorkspaceLimiter>, id: string) {
    this.#limiter = limiter;
    this.#id = id;
  }

  /** Starts an export. Throws `EXPORT_IN_PROGRESS` while another export of the workspace is running. */
  static async take(
    limiters: DurableObjectNamespace<WorkspaceLimiter>,
    { workspace, requestId }: Pick<Tenant, "workspace" | "requestId">,
  ): Promise<ExportLease> {
    const limiter = limiters.getByName(workspace.id);
    const waitSeconds = await repeatOnce(() => limiter.takeExport(requestId, EXPORT_LEASE_MS));
    if (waitSeconds === 0) return new ExportLease(limiter, requestId);
    throw new ApiError(
      "EXPORT_IN_PROGRESS",
      "Another export of the workspace is running. Retry when it has ended.",
      { headers: { "Retry-After": String(waitSeconds) } },
    );
  }

  /** Extends the lease if a third of its time has passed. Throws if another export has started since. */
  async extend(): Promise<void> {
    if (Date.now() < this.#takenAtMs + EXPORT_LEASE_MS / 3) return;
    this.#takenAtMs = Date.now();
    const waitSeconds = await repeatOnce(() => this.#limiter.takeExport(this.#id, EXPORT_LEASE_MS));
    if (waitSeconds > 0) throw new Error("an export was too slow, and another one has started");
  }

  /** Lets another export start. Never throws: without it, the lease ends by itself. */
  async end(): Promise<void> {
    try {
      await this.#limiter.endExport(this.#id);
    } catch (error) {
      logError("the end of an export was not recorded", error);
    }
  }
}
