// Pure: no I/O, clock or randomness.

/** Headers of webhook requests, as far as they can be shown. */

export interface RequestHeader {
  name: string;
  value: string;
  /** True if the value differs between attempts. A description is shown instead of it. */
  isVarying: boolean;
}

/** Lists the headers of a delivery. Timestamps and signatures differ per attempt and aren't stored. */
export function listHeaders({ id, event_type }: { id: string; event_type: string }): RequestHeader[] {
  const fixed = (name: string, value: string) => ({ name, value, isVarying: false });
  const varying = (name: string, value: string) => ({ name, value, isVarying: true });
  return [
    fixed("Content-Type", "application/json"),
    fixed("User-Agent", "svc-Webhooks/1.0"),
    fixed("X-SVC-Event", event_type),
    fixed("X-SVC-Delivery", id),
    varying("X-SVC-Signature", "sha256= and the HMAC of the body"),
    fixed("webhook-id", id),
    varying("webhook-timestamp", "time of the attempt in Unix seconds"),
    varying("webhook-signature", "v1, and the HMAC of id, time and body"),
  ];
}
