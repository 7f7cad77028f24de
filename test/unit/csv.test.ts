import { describe, expect, test } from "vitest";
import { CSV_HEADER, formatLinkLine } from "../../src/links/csv.ts";
import { LINK_RESPONSE_NAMES, presentLink } from "../../src/links/link-response.ts";
import type { Link } from "../../src/links/links.table.ts";

const LINK: Link = {
  id: "019aa5a8-5d2c-7c3b-9f6e-2b8f3c1d4e5f",
  workspaceId: "w",
  shortCode: "abc2345",
  codeKey: "abc2345",
  isCustom: false,
  destination: "https://example.com/",
  destinationHost: "example.com",
  ruleHosts: [],
  enabled: true,
  labels: [],
  aliases: [],
  formerCodes: [],
  externalId: null,
  qrTemplateId: null,
  routingRules: [],
  expiresAt: null,
  bannedAt: null,
  scanCount: 0,
  lastScanAt: null,
  createdAt: 1_795_253_400_000,
  updatedAt: 1_795_253_400_001,
  qrRenderedAt: null,
  title: null,
  note: null,
  archived: false,
  startsAt: null,
  earlyUrl: null,
  earlyHost: null,
  expiredUrl: null,
  expiredHost: null,
  maxScans: null,
  passwordHash: null,
  forwardQuery: false,
  confirm: false,
  destinationStatus: null,
  preview: null,
  importedScans: 0,
  rankedScanCount: 0,
  rankedScanAt: null,
  position: null,
};

/** Formats a link of a workspace whose short host is go.example. */
function formatLink(link: Link): string {
  const settings = { shortScheme: "https://", shortPort: "" };
  const host = { settings, workspace: { hostnames: ["go.example"] } };
  return formatLinkLine(presentLink(host as never, link));
}

/** Parses the CSV line of a link into its cells (RFC 4180). */
function parseCells(link: Partial<Link>): string[] {
  const line = formatLink({ ...LINK, ...link });
  expect(line.endsWith("\r\n")).toBe(true);
  return [...line.slice(0, -2).matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",\r\n]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? "",
  );
}

test("the CSV header has the field names of the API", () => {
  expect(CSV_HEADER).toBe(
    "id,short_url,short_code,destination,enabled,labels,routing_rules,scan_count,last_scan_at,expires_at,title,note,archived,starts_at,early_url,expired_url,max_scans,has_password,preview,forward_query,confirm,imported_scans,aliases,external_id,destination_status,qr_template_id,banned_at,created_at,updated_at\r\n",
  );
});

test("a CSV line has an empty cell for each value that the link does not have", () => {
  expect(formatLink(LINK)).toBe(
    "019aa5a8-5d2c-7c3b-9f6e-2b8f3c1d4e5f,https://go.example/abc2345,abc2345,https://example.com/,true,,,0,,,,,false,,,,,false,,false,false,0,,,,,,2026-11-21T09:30:00.000Z,2026-11-21T09:30:00.001Z\r\n",
  );
});

test("a CSV line has the labels, rules, counts and times of the link", () => {
  const rules = [{ when: { country: ["CA"] }, destination: "https://example.ca/" }];
  const cells = parseCells({
    labels: ["a", "b c"],
    routingRules: rules,
    scanCount: 7,
    lastScanAt: 0,
    expiresAt: 1,
  });
  expect(cells).toHaveLength(LINK_RESPONSE_NAMES.length);
  expect(cells.slice(5, 10)).toEqual([
    "a;b c",
    JSON.stringify(rules),
    "7",
    "1970-01-01T00:00:00.000Z",
    "1970-01-01T00:00:00.001Z",
  ]);
});

test.each(["a,b", 'say "hi"', '"', '""', "two\r\nlines", "a\nb", "ünïcödé 🙂", 'a","b'])(
  "a destination %j is unchanged in its CSV cell",
  (text) => {
    const cells = parseCells({ destination: text });
    expect(cells).toHaveLength(LINK_RESPONSE_NAMES.length);
    expect(cells[3]).toBe(text);
  },
);

describe("a label that a spreadsheet would evaluate is written as text", () => {
  test.each([
    [["=HYPERLINK(1)"], "'=HYPERLINK(1)"],
    [["+1"], "'+1"],
    [["-1"], "'-1"],
    [["@SUM(A1)"], "'@SUM(A1)"],
    [["\t=1"], "'\t=1"],
    [["\r=1"], "'\r=1"],
    // A tab or line break may separate cells too.
    [["a\t=1"], "a\t'=1"],
    [["a\n@SUM(A1)"], "a\n'@SUM(A1)"],
    [["\tx"], "'\tx"],
    [[" =1"], "' =1"],
    [['"=1"'], '\'"=1"'],
    [["'=1"], "''=1"],
    [["＝1", "＋1", "－1", "＠A1"], "'＝1;'＋1;'－1;'＠A1"],
    [["a; -1"], "a;' -1"],
    [["a-1", "1+1", "a@b", "5"], "a-1;1+1;a@b;5"],
    [["a=1"], "a=1"],
    // A spreadsheet splits cells at semicolons in locales with a decimal comma.
    [["a", "=1"], "a;'=1"],
    [["a;=1"], "a;'=1"],
  ])("labels %j become the cell %j", (labels, cell) => {
    expect(parseCells({ labels })[5]).toBe(cell);
  });
});

test.each<[string, Partial<Link>, number, string]>([
  ["short code", { shortCode: "-5" }, 2, "'-5"],
  ["destination", { destination: "https://example.com/?a;=1" }, 3, "https://example.com/?a;'=1"],
  [
    "name of a rule",
    { routingRules: [{ name: "a;=1", when: { country: ["CA"] }, destination: "https://example.ca/" }] },
    6,
    `[{"name":"a;'=1","when":{"country":["CA"]},"destination":"https://example.ca/"}]`,
  ],
  ["count", { scanCount: 7 }, 7, "7"],
  ["title", { title: "=1" }, LINK_RESPONSE_NAMES.indexOf("title"), "'=1"],
  ["note", { note: "a\n=1" }, LINK_RESPONSE_NAMES.indexOf("note"), "a\n'=1"],
])("a %s is written as text or number, not as a formula", (_, link, column, cell) => {
  expect(parseCells(link)[column]).toBe(cell);
});
