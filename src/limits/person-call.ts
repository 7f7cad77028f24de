import { repeatOnce } from "../db/retry.ts";
import { PERSON_BURST_PER_SECOND } from "./allowance.ts";
import type { CallVerdict, WorkspaceLimiter } from "./limiter.ts";

/** Call of a person that the limiter is asked about as soon as it is created. */
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
    // A person who turns out to be no member never looks at the verdict.
    this.verdict.catch(() => {});
  }
}

/** Returns the name of a member's token bucket. No prefix of a key is as long. */
export function formatPersonBucket(memberId: string): string {
  return `person:${memberId}`;
}
