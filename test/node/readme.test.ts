import { createHmac } from "node:crypto";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { webhooks } from "../../src/docs/guides/webhooks.tsx";

const PROJECT = resolve(import.meta.dirname, "../..");
const PAPERS = [
  "README.md",
  "CONTRIBUTING.md",
  "OPERATING.md",
  "src/README.md",
  "test/bench/README.md",
  ...globSync("src/decisions/*.md", { cwd: PROJECT }),
];

function readPaper(paper: string): string {
  return readFileSync(join(PROJECT, paper), "utf8");
}

test.each([
  ["README.md", 180],
  ["src/README.md", 220],
  ["CONTRIBUTING.md", 195],
])("%s has at most %i lines", (paper, linesMax) => {
  expect(readPaper(paper).trimEnd().split("\n").length).toBeLessThanOrEqual(linesMax);
});

test.each(PAPERS)("every relative link and image of %s exists", (paper) => {
  const links = [...readPaper(paper).matchAll(/\]\(([^)\s]+)\)|\b(?:src|href)="([^"]+)"/g)].map(
    ([, link, attribute]) => link ?? attribute ?? "",
  );
  const paths = links.filter((link) => !/^(?:https?:|#)/.test(link)).map((link) => link.replace(/#.*/, ""));
  expect(paths.filter((path) => !existsSync(join(PROJECT, dirname(paper), path)))).toEqual([]);
});

test.each(PAPERS)("every source file and folder that %s names exists", (paper) => {
  const names = [
    ...readPaper(paper).matchAll(/`([\w.-]+(?:\/[\w.-]+)*(?:\/|\.(?:tsx?|toml|sql|json)))`/g),
  ].map(([, name = ""]) => name);
  const folders = [dirname(paper), "src", "."].map((folder) => join(PROJECT, folder));
  expect(names.filter((name) => !folders.some((folder) => existsSync(join(folder, name))))).toEqual([]);
});

/** Loads the function that the webhook guide shows to receivers. */
async function loadPastedVerifier(): Promise<
  (body: string, signature: string | undefined, secret: string) => boolean
> {
  const url = "https://signpost.example";
  const html = String(
    await webhooks.Body({ apiUrl: url, bioUrl: url, cdnUrl: url, appUrl: url, operations: [] }),
  );
  const code = /<code>(import \{ createHmac.*?)<\/code>/s.exec(html)?.[1] ?? "";
  const source = code
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
  const module = await import(`data:text/javascript,${encodeURIComponent(source)}`);
  return module.isFromSignpost;
}

test("the webhook guide's verifier accepts a genuine delivery and rejects any other signature", async () => {
  const isFromSignpost = await loadPastedVerifier();
  const body = '{"event":"webhook.test"}';
  const signature = `sha256=${createHmac("sha256", "secret").update(body).digest("hex")}`;
  expect(isFromSignpost(body, signature, "secret")).toBe(true);
  expect(isFromSignpost(`${body} `, signature, "secret")).toBe(false);
  for (const given of [
    undefined,
    "",
    "sha256=",
    signature.replace(/.$/, "x"),
    "é".repeat(signature.length),
  ]) {
    expect(isFromSignpost(body, given, "secret")).toBe(false);
  }
});
