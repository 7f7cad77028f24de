import type { Schemas } from "../../data/schemas.ts";

/** Health of an endpoint, from its last deliveries. */

export type DeliveryStatus = Schemas["Delivery"]["status"];
type Delivery = Pick<Schemas["Delivery"], "status">;

/** Number of deliveries that the marks show. */
export const MARKS_MAX = 20;

export type Tone = "good" | "warn" | "danger" | "plain";

/** Words and colours of states. */
export const STATUS_WORDS: Record<DeliveryStatus, { word: string; tone: Tone }> = {
  pending: { word: "Waiting", tone: "plain" },
  retrying: { word: "Retrying", tone: "warn" },
  delivered: { word: "Delivered", tone: "good" },
  failed: { word: "Failed", tone: "danger" },
};

/** Returns true if a delivery will still be attempted. */
export function isWaiting({ status }: Delivery): boolean {
  return status === "pending" || status === "retrying";
}

/** Describes deliveries in a sentence: how many there are of each state. */
export function describeDeliveries(deliveries: readonly Delivery[]): string {
  if (deliveries.length === 0) return "No deliveries yet";
  const parts = (Object.keys(STATUS_WORDS) as DeliveryStatus[])
    .reverse()
    .map((status) => [deliveries.filter((delivery) => delivery.status === status).length, status] as const)
    .filter(([count]) => count > 0)
    .map(([count, status]) => `${count} ${STATUS_WORDS[status].word.toLowerCase()}`);
  const noun = deliveries.length === 1 ? "delivery" : `${deliveries.length} deliveries`;
  return `Last ${noun}: ${parts.join(", ")}`;
}

/** Number of failures in a row, from the newest, from which an endpoint counts as failing. */
const FAILING_MIN = 3;

/** Endpoint, as far as its health follows from it. */
type Endpoint = Pick<Schemas["Webhook"], "enabled" | "disabled_at">;

/** Judges an endpoint by itself and by its last deliveries, newest first. These may not be known yet. */
export function judgeEndpoint(
  { enabled, disabled_at }: Endpoint,
  deliveries: readonly Delivery[] | undefined,
): { word: string; tone: Tone } {
  if (!enabled && disabled_at !== null) return { word: "Disabled after failures", tone: "danger" };
  if (!enabled) return { word: "Disabled", tone: "plain" };
  const tried = deliveries?.filter(({ status }) => status !== "pending") ?? [];
  const firstGood = tried.findIndex(({ status }) => status === "delivered");
  const failures = firstGood === -1 ? tried.length : firstGood;
  if (failures >= FAILING_MIN) return { word: "Failing", tone: "warn" };
  return { word: "Enabled", tone: "good" };
}

/** Returns the host of an address, for a name. */
export function getHost(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}
