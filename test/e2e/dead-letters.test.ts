import { expect, test } from "vitest";
import { executeStatements } from "../../src/cli/admin-database.ts";
import { sql } from "../../src/cli/sql.ts";
import { StateFolder } from "../../src/cli/state.ts";
import { generateUuidv7 } from "../../src/core/id.ts";
import type { LinkResponse } from "../../src/links/link-response.ts";
import { eventually } from "../support/eventually.ts";
import { useAdmin } from "./support/admin.ts";
import { expectData } from "./support/data.ts";
import { useSharedService } from "./support/service.ts";

/** Dead letters of the running service, listed and replayed with the admin commands. */

const service = useSharedService();
const admin = useAdmin(service);

interface Letter {
  id: string;
  queue: string;
  bytes: number;
  failed_at: string;
  replay_at: string | null;
  countable_until: string | null;
}

const listLetters = (queue: string) => admin<Letter[]>("dead-letters", "list", queue);

test("a window of scans that its queue dropped is listed, replayed and counted once", async () => {
  const link = await expectData<LinkResponse>(
    service.call("POST", "/v1/links", { url: "https://example.com" }),
    201,
  );
  const workspace = await expectData<{ id: string }>(service.call("GET", "/v1/workspace"));
  const facts = {
    workspaceId: workspace.id,
    linkId: link.id,
    shortCode: link.short_code,
    destination: "https://example.com/",
    rule: null,
    country: null,
    region: null,
    device: "desktop",
    os: null,
    browser: null,
    language: null,
    referrer: null,
  };
  const body = {
    id: generateUuidv7(Date.now()),
    groups: [{ facts, timesMs: [Date.now(), Date.now()] }],
  };
  const deployment = { state: StateFolder.open(service.stateFolder), environment: undefined, shards: [0, 1] };
  const oldBody = { ...body, id: generateUuidv7(Date.now()).replace(/^..../, "01a0") };
  // Two letters with the same window: the queue delivered it twice before it dropped it.
  for (const [id, letter] of Object.entries({ first: body, second: body, third: oldBody })) {
    await executeStatements(deployment, "DIRECTORY", [
      sql`INSERT INTO dead_letters (id, kind, body, failed_at) VALUES (${id}, 'scans', ${JSON.stringify(letter)}, ${Date.now()})`,
    ]);
  }

  expect(await listLetters("deliveries")).toEqual([]);
  const letters = await listLetters("signpost-scans");
  expect(letters.map(({ id, queue, replay_at }) => [id, queue, replay_at])).toEqual([
    ["first", "scans", null],
    ["second", "scans", null],
    ["third", "scans", null],
  ]);
  expect(Date.parse(letters[0]?.countable_until ?? "")).toBeGreaterThan(Date.now());
  expect(Date.parse(letters[2]?.countable_until ?? "")).toBeLessThan(Date.now());
  expect(letters[0]?.bytes).toBe(JSON.stringify(body).length);

  const replay = ["dead-letters", "replay", "scans"];
  const chosen = [...replay, "--id", "first"];
  expect(await admin(...chosen)).toEqual({ queue: "scans", replayed: 1, expired: 0 });
  expect(await admin(...replay)).toEqual({ queue: "scans", replayed: 1, expired: 1 });
  expect(await admin(...replay)).toEqual({ queue: "scans", replayed: 0, expired: 1 });
  expect(await admin(...replay, "--id", "third")).toEqual({ queue: "scans", replayed: 0, expired: 1 });

  await fetch(`${service.url}/cdn-cgi/local/scheduled?cron=*+*+*+*+*`);
  const read = () => expectData<LinkResponse>(service.call("GET", `/v1/links/${link.id}`));
  const counted = await eventually(read, ({ scan_count }) => scan_count > 0, 20_000);
  expect(counted.scan_count).toBe(2);
  expect((await listLetters("scans")).map(({ id }) => id)).toEqual(["third"]);
  expect((await read()).scan_count).toBe(2);
});
