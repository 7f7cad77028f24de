import { describe, expect, test } from "vitest";
import { diffDrafts, placeFaults } from "../../src/dashboard/forms/form-fields.ts";
import {
  findNextCursor,
  formatCursor,
  isFiltered,
  readFilters,
  toDeliveryQuery,
} from "../../src/dashboard/screens/webhooks/delivery-filters.ts";
import {
  describeDeliveries,
  getHost,
  isWaiting,
  judgeEndpoint,
} from "../../src/dashboard/screens/webhooks/delivery-health.ts";
import { EMPTY_DRAFT, ENDPOINT_FORM, toDraft } from "../../src/dashboard/screens/webhooks/endpoint-draft.ts";
import {
  EVENT_TYPES as CHOSEN_TYPES,
  describeEvents,
} from "../../src/dashboard/screens/webhooks/event-catalog.ts";
import { listHeaders } from "../../src/dashboard/screens/webhooks/request-headers.ts";
import { EVENT_TYPES } from "../../src/webhooks/events.ts";
import { buildSignatureHeaders, generateSecret } from "../../src/webhooks/signature.ts";

const day = (text: string) => new Date(`${text}T00:00:00`).getTime();
const NO_TIMES = { fromMs: null };

describe("filters of deliveries", () => {
  test.each([
    ["", NO_TIMES, false],
    ["state=failed", { status: "failed", ...NO_TIMES }, true],
    ["state=lost", NO_TIMES, false],
    ["event=link.scanned", { event_type: "link.scanned", ...NO_TIMES }, true],
    ["event=*", NO_TIMES, false],
    ["from=2026-11-20", { fromMs: day("2026-11-20") }, true],
    ["to=2026-11-20", { before: formatCursor(day("2026-11-21")), ...NO_TIMES }, true],
    ["from=yesterday&to=2026-13-40", NO_TIMES, false],
  ])("%s requests %o", (query, asked, filtered) => {
    const filters = readFilters(query);
    expect(toDeliveryQuery(filters)).toEqual(asked);
    expect(isFiltered(filters)).toBe(filtered);
  });

  test("the cursor of a time is the lowest id at that time", () => {
    expect(formatCursor(0x19_4d0_0b4_1a2f)).toBe("194d00b4-1a2f-7000-8000-000000000000");
    expect(formatCursor(1)).toBe("00000000-0001-7000-8000-000000000000");
    expect(formatCursor(-5)).toBe("00000000-0000-7000-8000-000000000000");
  });

  const CURSOR = formatCursor(day("2026-11-20"));
  const link = `</v1/webhooks/a/deliveries?limit=2&before=${CURSOR}>; rel="next"`;
  const item = (time = "2026-11-21T00:00:00Z") => ({ created_at: time });
  test.each([
    ["the last page", [item()], null, null, null],
    ["no item", [], null, null, null],
    ["a page that is followed by another", [item(), item()], link, null, CURSOR],
    ["a page that stopped to look", [], link, null, CURSOR],
    ["a page beyond the first day", [item("2026-11-01T00:00:00Z")], link, day("2026-11-10"), null],
    ["a page that stopped before the first day", [], link, day("2026-11-21"), null],
    ["a page that stopped on the first day", [], link, day("2026-11-20"), CURSOR],
  ])("%s continues at the right position", (_, data, header, fromMs, next) => {
    expect(findNextCursor(data, header, fromMs)).toBe(next);
  });
});

describe("health of an endpoint", () => {
  const list = (...statuses: ("pending" | "retrying" | "delivered" | "failed")[]) => statuses;
  const enabled = { enabled: true, disabled_at: null };
  test.each([
    [enabled, undefined, "Enabled"],
    [enabled, [], "Enabled"],
    [enabled, list("failed", "failed", "delivered"), "Enabled"],
    [enabled, list("pending", "failed", "retrying", "failed", "delivered"), "Failing"],
    [enabled, list("failed", "failed", "failed"), "Failing"],
    [enabled, list("delivered", "failed", "failed", "failed"), "Enabled"],
    [enabled, list("pending", "pending", "pending"), "Enabled"],
    [{ enabled: false, disabled_at: null }, list("failed"), "Disabled"],
    [{ enabled: false, disabled_at: "2026-11-21T00:00:00Z" }, [], "Disabled after failures"],
    [{ enabled: true, disabled_at: "2026-11-21T00:00:00Z" }, [], "Enabled"],
  ])("%o with %o is %s", (endpoint, deliveries, word) => {
    expect(judgeEndpoint(endpoint, deliveries).word).toBe(word);
  });

  test("deliveries are described by their states", () => {
    expect(describeDeliveries([])).toBe("No deliveries yet");
    expect(describeDeliveries(list("failed"))).toBe("Last delivery: 1 failed");
    expect(describeDeliveries(list("delivered", "failed", "retrying", "delivered"))).toBe(
      "Last 4 deliveries: 1 failed, 2 delivered, 1 retrying",
    );
  });

  test("waiting deliveries are the ones that will be attempted", () => {
    expect(list("pending", "retrying", "delivered", "failed").map((status) => isWaiting({ status }))).toEqual(
      [true, true, false, false],
    );
    expect(getHost("https://a.example:8443/x")).toBe("a.example:8443");
    expect(getHost("half")).toBe("half");
  });
});

describe("form of an endpoint", () => {
  const endpoint = {
    url: "https://a.example/",
    description: "A",
    events: ["link.scanned", "link.created"] as ("link.scanned" | "link.created")[],
  };
  const draft = toDraft(endpoint);
  test("a draft keeps the order of the catalogue", () => {
    expect(draft).toEqual({
      url: "https://a.example/",
      description: "A",
      isAll: false,
      events: ["link.created", "link.scanned"],
    });
    expect(toDraft({ ...endpoint, events: ["*"] })).toMatchObject({ isAll: true, events: [] });
  });
  test.each([
    [draft, draft, {}],
    [draft, { ...draft, url: " https://b.example/ " }, { url: "https://b.example/" }],
    [draft, { ...draft, description: "" }, { description: "" }],
    [draft, { ...draft, isAll: true }, { events: ["*"] }],
    [draft, { ...draft, events: [...draft.events].reverse() }, {}],
    [draft, { ...draft, events: ["link.created"] as const }, { events: ["link.created"] }],
    [EMPTY_DRAFT, { ...EMPTY_DRAFT, url: "https://a.example/" }, { url: "https://a.example/" }],
  ])("from %o to %o is %o", (before, after, change) => {
    expect(diffDrafts(ENDPOINT_FORM, before, after)).toEqual(change);
  });
  test("missing events and errors of the service are shown at their fields", () => {
    const { check } = ENDPOINT_FORM;
    expect(check?.({ ...draft, events: [] })).toEqual({ events: "Choose at least one event." });
    expect(check?.({ ...draft, isAll: true, events: [] })).toEqual({});
    expect(check?.(draft)).toEqual({});
    const fields = { "events[0]": "No event.", "events[1]": "Nor this.", url: "No URL.", x: "y" };
    expect(placeFaults(ENDPOINT_FORM, draft, fields).faults).toEqual({ events: "No event.", url: "No URL." });
  });
});

describe("texts for developers", () => {
  test("the catalogue has every event of the service", () => {
    expect([...CHOSEN_TYPES].sort()).toEqual([...EVENT_TYPES].sort());
    expect(describeEvents(["*"])).toBe("All events");
    expect(describeEvents(["a", "b", "c"])).toBe("a, b, c");
    expect(describeEvents(["a", "b", "c", "d"])).toBe("a, b, c and 1 more");
  });

  test("the headers match the service's headers", async () => {
    const signable = { deliveryId: "d", timestampSeconds: 1, body: "{}" };
    const signed = Object.keys(await buildSignatureHeaders(signable, [generateSecret()]));
    const names = listHeaders({ id: "d", event_type: "link.created" }).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(signed));
    expect(listHeaders({ id: "d", event_type: "e" }).find(({ name }) => name === "X-SVC-Event")?.value).toBe(
      "e",
    );
  });
});
