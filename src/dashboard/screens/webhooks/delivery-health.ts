// Pure: no I/O, clock or randomness.
import { formatCount } from "../../../core/format-count.ts";
import type { Schemas } from "../../data/schemas.ts";

/** Status labels of deliveries, and the health of an endpoint derived from its last deliveries. */

export type DeliveryStatus = Schemas["Delivery"]["status"];
type Delivery = Pick<Schemas["Delivery"], "status">;

/** Maximum deliveries in an endpoint's row of marks (`HealthMarks`). */
export const MARKS_MAX = 20;

export type Tone = "good" | "warn" | "danger" | "plain";

/** Labels and colours of delivery statuses. */
export const STATUS_LABELS: Record<DeliveryStatus, { word: string; tone: Tone }> = {
  pending: { word: "Pending", tone: "plain" },
  retrying: { word: "Retrying", tone: "warn" },
  delivered: { word: "Delivered", tone: "good" },
  failed: { word: "Failed", tone: "danger" },
};

/** Returns true if an attempt of a delivery is still to come. */
export function isWaiting({ status }: Delivery): boolean {
  return status === "pending" || status === "retrying";
}

/** Counts deliveries by status in one sentence. */
export function describeDeliveries(statuses: readonly DeliveryStatus[]): string {
  if (statuses.length === 0) return "No deliveries yet";
  const parts = (Object.keys(STATUS_LABELS) as DeliveryStatus[])
    .reverse()
    .map((status) => [statuses.filter((other) => other === status).length, status] as const)
    .filter(([count]) => count > 0)
    .map(([count, status]) => `${count} ${STATUS_LABELS[status].word.toLowerCase()}`);
  const noun = statuses.length === 1 ? "delivery" : formatCount(statuses.length, "delivery", "deliveries");
  return `Last ${noun}: ${parts.join(", ")}`;
}

/** Number of consecutive failures, up to the newest delivery, from which an endpoint counts as failing. */
const FAILING_MIN = 3;

/** Fields of an endpoint that affect its status. */
type Endpoint = Pick<Schemas["Webhook"], "enabled" | "disabled_at">;

/**
 * Returns the status of an endpoint. The statuses of its deliveries, newest first, are undefined until they
 * are loaded.
 */
export function judgeEndpoint(
  { enabled, disabled_at }: Endpoint,
  statuses: readonly DeliveryStatus[] | undefined,
): { word: string; tone: Tone } {
  if (!enabled && disabled_at !== null) return { word: "Disabled after failures", tone: "danger" };
  if (!enabled) return { word: "Disabled", tone: "plain" };
  if (isFailing(statuses ?? [])) return { word: "Failing", tone: "warn" };
  return { word: "Enabled", tone: "good" };
}

/** Returns true if the last deliveries that were attempted all failed. `statuses` has the newest first. */
export function isFailing(statuses: readonly DeliveryStatus[]): boolean {
  const tried = statuses.filter((status) => status !== "pending");
  const firstGood = tried.indexOf("delivered");
  return (firstGood === -1 ? tried.length : firstGood) >= FAILING_MIN;
}

/** Returns the host of a URL. A text that isn't a URL is returned unchanged. */
export function getHost(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}
