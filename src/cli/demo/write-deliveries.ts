import { openDatabase } from "../../db/database.ts";
import { RETRY_DELAYS_MS } from "../../webhooks/delivery-state.ts";
import { type DueDelivery, endTurn, startTurn, type TurnAttempt } from "../../webhooks/turn.ts";
import type { DemoEndpoint } from "./demo-resources.ts";
import type { DemoWorld } from "./demo-world.ts";

/** Time from a delivery's due time to its attempt. */
const WAKE_MS = 600;

/**
 * Makes all delivery attempts that are due at an endpoint until now, with invented responses. As in the
 * service, each turn attempts some due deliveries of the endpoint's lane (the list of its deliveries).
 */
export async function deliverAll(
  { storage, workspace, nowMs }: DemoWorld,
  webhookId: string,
  { respond }: DemoEndpoint,
): Promise<void> {
  const db = openDatabase(storage.SHARD_0);
  const lane = await storage.SHARD_0.prepare(
    "SELECT id FROM webhook_lanes WHERE webhook_id = ?1 AND workspace_id = ?2",
  )
    .bind(webhookId, workspace.id)
    .first<number>("id");
  if (lane === null) throw new Error(`the webhook ${webhookId} has no lane`);
  const attempt = (delivery: DueDelivery): TurnAttempt => {
    const attemptedAtMs = delivery.nextAttemptAt + WAKE_MS;
    const outcome = { ...respond(nowMs - attemptedAtMs, delivery.attempts + 1), attemptedAtMs };
    const delayMs = RETRY_DELAYS_MS[delivery.attempts - delivery.attemptsBefore];
    const isOver = outcome.succeeded || delayMs === undefined;
    return { delivery, outcome, retryAtMs: isOver ? null : attemptedAtMs + outcome.latencyMs + delayMs };
  };
  for (;;) {
    const turn = await startTurn(db, { workspaceId: workspace.id, lane }, nowMs);
    if (turn === null || turn === "early") return;
    await endTurn(db, turn, turn.deliveries.map(attempt), nowMs);
  }
}
