import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const CLI = resolve(import.meta.dirname, "../../src/cli");

/** Runs a command, and answers with what it came to. */
function run(command: "dev" | "admin", ...args: string[]) {
  return new Promise<{ status: unknown; stdout: string; stderr: string }>((done) => {
    execFile(process.execPath, [join(CLI, `${command}.ts`), ...args], (error, stdout, stderr) => {
      done({ status: error === null ? 0 : error.code, stdout, stderr });
    });
  });
}

test("the start refuses what it does not know, and says how it is used, before it makes a folder", async () => {
  const parent = mkdtempSync(join(tmpdir(), "signpost-usage-"));
  const folder = join(parent, "state");
  const unknown = await run("dev", "--persist-to", folder, "--prot", "9000");
  expect(unknown).toMatchObject({ status: 1, stdout: "" });
  expect(unknown.stderr).toMatch(/^Unknown option '--prot'\n\nnpm run dev -- \[--port N\]/);
  const port = await run("dev", "--persist-to", folder, "--port", "0x50");
  expect(port).toEqual({ status: 1, stdout: "", stderr: "--port: must be 1 to 65535\n" });
  expect(readdirSync(parent)).toEqual([]);
});

test.each(["dev", "admin"] as const)("%s --help says how it is used", async (command) => {
  const { status, stdout, stderr } = await run(command, "--help");
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toContain("--persist-to DIR");
});

test.each([
  ["no command", [], "nothing: not a command"],
  ["a word every object knows", ["constructor"], "constructor: not a command"],
  ["a word too few", ["key", "revoke"], "key revoke: takes 1 words after it, not 0"],
  [
    "an option of another command",
    ["workspace", "list", "--email", "a"],
    "workspace list: does not take --email",
  ],
  ["an unknown option", ["workspace", "list", "--jsno"], "Unknown option '--jsno'"],
  [
    "a folder without state",
    ["workspace", "list", "--persist-to", "/nowhere"],
    "no state at /nowhere; start the",
  ],
  [
    "an unknown environment",
    ["workspace", "list", "--remote", "--env", "stage"],
    "--env: wrangler.toml has no stage",
  ],
])("admin refuses %s in one line on stderr", async (_, args, message) => {
  const { status, stdout, stderr } = await run("admin", ...args, "--json");
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr.split("\n")[0]).toContain(message);
  expect(stderr).not.toContain("    at ");
});
