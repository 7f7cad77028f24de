import type { RequestMaker } from "./load.ts";

/** Requests by which one workspace once slowed down its neighbours, at the rate that one person may send. */

/** Workspace that sends the requests: its host, and one of its keys. */
export interface Greedy {
  host: string;
  key: string;
  /** Link that is changed, and short code of a link with the password {@link PASSWORD}. */
  linkId: string;
  protectedCode: string;
}

export const PASSWORD = "correct horse";
const URL_LENGTH = 8_192;

/** Load of a greedy workspace. */
export interface GreedyLoad {
  /** Number by which a row of the benchmark is chosen. */
  row: number;
  name: string;
  makeRequest: RequestMaker;
}

/** Row of ordinary changes, which shows what any second request costs on the one thread of a local start. */
export const ORDINARY_ROW = 0;
/** Row of changes that fill the log, and row that reads the log. */
export const CHANGES_ROW = 1;
export const READS_ROW = 4;

/** Returns the loads. */
export function listGreedyLoads({ host, key, linkId, protectedCode }: Greedy): GreedyLoad[] {
  const call = (method: string, path: string, body?: object) =>
    formatRequest(method, host, path, { Authorization: `Bearer ${key}` }, body && JSON.stringify(body));
  const drawing = {
    name: "draw_qr_code",
    arguments: { content: "0123456789abcdef".repeat(100) },
  };
  return [
    {
      row: ORDINARY_ROW,
      name: "changes of a title",
      makeRequest: (n) => call("PATCH", `/v1/links/${linkId}`, { title: `${n}` }),
    },
    {
      row: CHANGES_ROW,
      name: "changes of 8 KiB URLs",
      makeRequest: (n) =>
        call("PATCH", `/v1/links/${linkId}`, { url: `https://example.com/${n}?`.padEnd(URL_LENGTH, "x") }),
    },
    {
      row: READS_ROW,
      name: "reads of the log, and exports",
      makeRequest: (n) => call("GET", n % 2 === 0 ? "/v1/audit?limit=100" : "/v1/links/export"),
    },
    {
      row: 7,
      name: "right and wrong passwords",
      makeRequest: (n) =>
        formatRequest(
          "POST",
          host,
          `/${protectedCode}`,
          { "Sec-Fetch-Site": "same-origin", "Content-Type": "application/x-www-form-urlencoded" },
          `password=${encodeURIComponent(n % 2 === 0 ? PASSWORD : "wrong")}`,
        ),
    },
    {
      row: 9,
      name: "codes drawn by MCP",
      makeRequest: (n) =>
        formatRequest(
          "POST",
          host,
          "/mcp",
          { Authorization: `Bearer ${key}`, Accept: "application/json, text/event-stream" },
          JSON.stringify({ jsonrpc: "2.0", id: n, method: "tools/call", params: drawing }),
        ),
    },
  ];
}

/** Formats a request. Bodies are JSON unless a header says otherwise. */
export function formatRequest(
  method: string,
  host: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body = "",
): string {
  const all = {
    Host: host,
    ...(body !== "" && {
      "Content-Type": "application/json",
      "Content-Length": String(Buffer.byteLength(body)),
    }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
}
