import type { SourceName } from "../../../client/import/import-row.ts";
export const SOURCES: Record<SourceName, { title: string; howTo: string }> = {
  bitly: {
    title: "Bitly",
    howTo: "In Bitly, open Links, choose all of them, and select Export: the CSV comes by email.",
  },
  dub: {
    title: "Dub",
    howTo: "In Dub, open Links, then the menu beside the search, and choose Export as CSV with all columns.",
  },
  "short-io": { title: "Short.io", howTo: "x" },
  rebrandly: { title: "Rebrandly", howTo: "x" },
  kutt: { title: "Kutt", howTo: "x" },
  yourls: { title: "YOURLS", howTo: "x" },
  shlink: { title: "Shlink", howTo: "x" },
  sink: { title: "Sink", howTo: "x" },
  csv: {
    title: "Any CSV",
    howTo: "Any table with a header and a column of addresses. You say what its columns hold.",
  },
};
