import { execFile } from "node:child_process";
import { globSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { routes } from "../../src/api.ts";
import { writeOpenApiDocument } from "../../src/openapi/document.ts";
import { FRUGAL } from "../support/frugal-compilers.ts";
import { IS_LONG } from "../support/long-tests.ts";

/**
 * Clients written by code generators from the document, each with a program that uses it. Orval takes four seconds of
 * processor time, so only a long run has it. `node/openapi` checks the names from which it forms file names.
 */

const PROJECT = resolve(import.meta.dirname, "../..");
const run = promisify(execFile);

/** First version of Node that runs orval. */
const NODE_MIN = [22, 18] as const;

/** Returns true if a run has orval and this Node runs it. Prints that its tests are skipped if Node is too old. */
function hasOrval(): boolean {
  if (!IS_LONG) return false;
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const isRecent = major > NODE_MIN[0] || (major === NODE_MIN[0] && minor >= NODE_MIN[1]);
  if (!isRecent) {
    console.warn(
      `Skipped: clients of orval, which needs Node ${NODE_MIN.join(".")}, this is ${process.version}.`,
    );
  }
  return isRecent;
}

const ORVAL_CONFIG = `
  const input = "openapi.json";
  const baseUrl = { getBaseUrlFromSpecification: true };
  export default {
    oneFile: { input, output: { target: "orval/one-file.ts", client: "fetch", baseUrl } },
    manyFiles: {
      input,
      output: { mode: "tags-split", target: "orval/api.ts", schemas: "orval/model", client: "fetch", baseUrl },
    },
  };`;

/** Options of a strict project with browser types. */
const TS_CONFIG = {
  compilerOptions: {
    target: "es2024",
    module: "esnext",
    moduleResolution: "bundler",
    lib: ["es2024", "dom"],
    types: [],
    strict: true,
    skipLibCheck: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
  },
};

/** Part of both programs: creates a link and reads its response by status. */
const CREATE_LINK = `
  switch (response.status) {
    case 201: {
      const link: Link = response.data.data;
      const left: number = response.data.meta.rate_limit.remaining;
      // @ts-expect-error: the scan count is no string.
      const scans: string = link.scan_count;
      return [link.short_url, left, scans];
    }
    case 400:
      return response.data.error.details?.map(({ field, message }) => [field, message]);
    case 409: {
      const { code } = response.data.error;
      // @ts-expect-error: the operation does not have this code.
      if (code === "slug_taken") return;
      return code === "SLUG_TAKEN" ? response.data.error.message : undefined;
    }
  }`;

const ORVAL_FILES = {
  "orval.config.mjs": ORVAL_CONFIG,
  "orval-one-file.ts": `
    import { createLink, type Link, type LinkScannedEvent } from "./orval/one-file";
    export async function main() {
      const headers = { Authorization: "Bearer svc_pk_…" };
      const response = await createLink({ url: "https://example.com/" }, { headers });
      ${CREATE_LINK}
    }
    export function read(event: LinkScannedEvent): string | null {
      return event.data.country;
    }`,
  "orval-many-files.ts": `
    import { createLink } from "./orval/links/links";
    import type { Link, LinkScannedEvent, NotFoundResponse } from "./orval/model";
    export async function main() {
      const headers = { Authorization: "Bearer svc_pk_…" };
      const response = await createLink({ url: "https://example.com/" }, { headers });
      ${CREATE_LINK}
    }
    export function read(event: LinkScannedEvent, { error }: NotFoundResponse): [string | null, 404] {
      return [event.data.country, error.status];
    }`,
};

const OAZAPFTS_PROGRAM = `
  import { createLink, defaults, type Link } from "./oazapfts";
  export async function main() {
    defaults.headers = { Authorization: "Bearer svc_pk_…" };
    const response = await createLink({ url: "https://example.com/" }, { idempotencyKey: "order-4711" });
    ${CREATE_LINK}
  }`;

describe("generated clients", () => {
  const isWithOrval = hasOrval();
  let folder: string;

  /** Runs a package's command in the temporary folder. */
  async function runTool(file: string, ...input: string[]): Promise<void> {
    const command = join(PROJECT, "node_modules", file);
    await run(process.execPath, [command, ...input], {
      cwd: folder,
      env: { ...process.env, ...FRUGAL },
    }).catch((error: { stdout: string; stderr: string }) => {
      throw new Error(`${file} failed:\n${error.stdout}\n${error.stderr}`);
    });
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "signpost-generators-"));
    symlinkSync(join(PROJECT, "node_modules"), join(folder, "node_modules"));
    const operations = routes.map(({ operation }) => operation);
    const document = writeOpenApiDocument({
      apiUrl: "https://api.signpost.example",
      appUrl: "https://app.signpost.example",
      operations,
    });
    const files = {
      "openapi.json": JSON.stringify(document),
      "tsconfig.json": JSON.stringify(TS_CONFIG),
      "oazapfts-program.ts": OAZAPFTS_PROGRAM,
      ...(isWithOrval && ORVAL_FILES),
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    await Promise.all([
      isWithOrval && runTool("orval/dist/bin/orval.mjs", "--config", "orval.config.mjs"),
      runTool("oazapfts/dist/cli.js", "openapi.json", "oazapfts.ts"),
    ]);
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("compile with a program that creates a link and reads its errors", async () => {
    await runTool("typescript/bin/tsc", "--project", ".");
  });

  if (isWithOrval) {
    test("have file names that differ in more than case, as macOS and Windows require", () => {
      const names = globSync("orval/**", { cwd: folder }).map((name) => name.toLowerCase());
      expect(names.length).toBeGreaterThan(100);
      expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    });
  }
});
