import { repeatOnce } from "../db/retry.ts";
import { PERSON_BURST_PER_SECOND } from "./allowance.ts";
import type { CallVerdict, WorkspaceLimiter } from "./limiter.ts";

/** Call by a person that is sent to the limiter as soon as the object is created. */
export class PersonCall {
  readonly workspaceId: string;
  readonly bucket: string;
  /** Rejects if the limiter fails. */
  readonly verdict: Promise<CallVerdict>;

  constructor(
    limiters: DurableObjectNamespace<WorkspaceLimiter>,
    { workspaceId, bucket }: { workspaceId: string; bucket: string },
  ) {
    this.workspaceId = workspaceId;
    this.bucket = bucket;
    this.verdict = repeatOnce(() =>
      limiters.getByName(workspaceId).takeToken(bucket, PERSON_BURST_PER_SECOND),
    );
    // Prevents an unhandled rejection. A person who isn't a member never awaits the verdict.
    this.verdict.catch(() => {});
  }
}

/** Returns the name of a member's token bucket. It can't collide with a key's prefix, which is shorter. */
export function formatPersonBucket(memberId: string): string {
  return `person:${memberId}`;
}
