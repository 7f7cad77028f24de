import { type Mutant, mutate } from "../by-hand.ts";

export const mutants: Mutant[] = [
  ...mutate("src/webhooks/deliver.ts", "worker/webhook-deliveries", [
    "delivery.attempts - delivery.attemptsBefore",
    "delivery.attempts",
  ]),
  ...mutate(
    "src/webhooks/turn.ts",
    "worker/webhook-edges",
    ["delivery.next_attempt_at <= ${timeMs}`", "delivery.next_attempt_at < ${timeMs}`"],
    ["where value ->> 1 > ${nowMs}`;", "where value ->> 1 >= ${nowMs}`;"],
    ["          sql`not exists (select 1 ${living} and value ->> 0 = ${lane})`,\n", ""],
    ["(made.ok or delivery.next_attempt_at is made.due)", "true"],
    ["(made.ok or delivery.next_attempt_at is made.due)", "(delivery.next_attempt_at is made.due)"],
    ["and made.retry_at is null and ${decides})`", "and made.retry_at is null)`"],
    ["order by ${webhooks.id} limit ${NEIGHBOURS_MAX})`", "order by ${webhooks.id} limit 1)`"],
    ["where value <> json_array(${lane}, ${turn.untilMs}) and", "where value ->> 0 <> ${lane} and"],
  ),
  ...mutate("src/http/next-link.ts", "worker/webhook-bounds", [
    "const { pathname, searchParams } = new URL(url);",
    "const { pathname, searchParams } = new URL(url.split('?')[0]);",
  ]),
  ...mutate("src/webhooks/attempt.ts", "worker/webhook-edges", [
    'error.name === "TimeoutError"',
    'error.name === "AbortError"',
  ]),
  ...mutate("src/webhooks/sweep-deliveries.ts", "worker/webhook-edges", [
    "delivery.next_attempt_at <= ${nowMs - OVERDUE_MS})",
    "delivery.next_attempt_at < ${nowMs - OVERDUE_MS})",
  ]),
  ...mutate("src/webhooks/delete-deliveries.ts", "worker/webhook-edges", [
    "event.id < ${formatUuidTime(nowMs",
    "event.id <= ${formatUuidTime(1 + nowMs",
  ]),
  ...mutate(
    "src/webhooks/webhooks.routes.ts",
    "worker/webhooks",
    ['!hasScope(c.get("caller").scopes, "webhooks:write")', "false"],
    ["getWebhookId(c)), isUrlHidden(c)) }),", "getWebhookId(c))) }),"],
  ),
  ...mutate("src/audit/present-entry.ts", "worker/webhooks", [
    "return { ...changes, url: [before, after] };",
    "return changes;",
  ]),
  ...mutate("src/webhooks/endpoints.ts", "worker/webhook-edges", [
    "previous.value ->> '$.until' > ${nowMs}",
    "previous.value ->> '$.until' >= ${nowMs}",
  ]),
  ...mutate("src/webhooks/endpoints.ts", "worker/webhook-deliveries", [
    "previousSecrets: immediate ? [] : ",
    "previousSecrets: ",
  ]),
  ...mutate(
    "src/webhooks/lane-turns.ts",
    "worker/webhook-edges",
    ["value ->> 1 > ${nowMs}", "value ->> 1 >= ${nowMs}"],
    ["Math.max(0, Math.ceil(", "Math.max(0, Math.floor("],
  ),
  ...mutate(
    "src/webhooks/delete-deliveries.ts",
    "worker/webhook-bounds",
    ["  return isAny;", "  return false;"],
    [
      "where not exists (select 1 from ${deliveryAttempts} where",
      "where true or exists (select 1 from ${deliveryAttempts} where",
    ],
  ),
];
