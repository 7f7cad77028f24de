import { expect, test } from "vitest";
import { parseQueueName } from "../../src/dead-letters/queue-name.ts";

test.each([
  ["signpost-scans", "scans", false],
  ["signpost-production-scans", "scans", false],
  ["signpost-staging-scans-spare", "scans", false],
  ["signpost-scans-dead", "scans", true],
  ["scans", "scans", false],
  ["signpost-page-hits", "page-hits", false],
  ["signpost-page-hits-spare", "page-hits", false],
  ["signpost-page-hits-dead", "page-hits", true],
  ["spare-dead-deliveries", "deliveries", false],
  ["signpost-deliveries-dead", "deliveries", true],
])("parseQueueName reads the end of %s", (name, kind, isDead) => {
  expect(parseQueueName(name)).toEqual({ kind, isDead });
});

test.each([
  "",
  "signpost",
  "hits",
  "signpost-scan",
  "signpostscans",
  "signpost-scans-dead-dead",
  "signpost-scans-2",
])("parseQueueName returns null for %j", (name) => {
  expect(parseQueueName(name)).toBeNull();
});
