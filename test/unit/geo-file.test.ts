import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { followGeoFile } from "../../src/cli/geo-file.ts";
import { locate, replaceGeoFile } from "../../src/self-host/geo-file.ts";
import { eventually } from "../support/eventually.ts";
import { buildGeoFile } from "../support/geo-file.ts";

const QUEBEC = {
  continent: { code: "NA" },
  country: { iso_code: "CA" },
  subdivisions: [{ iso_code: "QC" }],
};

/** Reads a file in the Worker's way. */
const load = (file: Uint8Array) => replaceGeoFile(new Uint8Array(file).buffer);

test("a file says where an address is, and a broken one does not replace it", async () => {
  expect(locate("203.0.113.9")).toEqual({});
  const file = buildGeoFile({ "203.0.113.0/24": QUEBEC, "198.51.100.0/25": { country: { iso_code: "FR" } } });
  expect(await load(file)).toBe("Test-City of 2027-01-15");
  for (const broken of [Buffer.alloc(0), Buffer.from("a page"), file.subarray(0, -30)]) {
    await expect(load(broken)).rejects.toThrow();
  }
  const quebec = { country: "CA", continent: "NA", regionCode: "QC" };
  expect([locate("203.0.113.9"), locate("198.51.100.1")]).toEqual([quebec, { country: "FR" }]);
  for (const unknown of ["203.0.114.9", "198.51.100.200", "2001:db8::1", "", "unknown"]) {
    expect(locate(unknown), unknown).toEqual({});
  }
});

test("a file is sent at the start and after each change, and a missing or broken one is reported", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "geo-")), "geo.mmdb");
  const lines: string[] = [];
  const send = async (content: Blob) => {
    const text = await content.text();
    return { ok: text !== "broken", text: async () => text };
  };
  const report = (message: string, level: string) => void lines.push(`${level}: ${message}`);
  const timer = await followGeoFile(file, send, report, 20);
  onTestFinished(() => clearInterval(timer));
  const expectLine = async (line: string) => {
    await eventually(
      async () => lines.length,
      (count) => count > 0,
    );
    expect(lines.splice(0)).toEqual([line]);
  };
  const missing = "no such file, or no access to it";
  await expectLine(`error: GEO_FILE: ${file} can't be used (${missing}); countries are unknown until it can`);
  writeFileSync(`${file}.new`, "first");
  renameSync(`${file}.new`, file);
  await expectLine(`info: GEO_FILE: loaded ${file} (first)`);
  writeFileSync(`${file}.new`, "broken");
  renameSync(`${file}.new`, file);
  await expectLine(`error: GEO_FILE: ${file} can't be used (broken); the last one stays in use`);
  rmSync(file);
  await expectLine(`error: GEO_FILE: ${file} can't be used (${missing}); the last one stays in use`);
});
