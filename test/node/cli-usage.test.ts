import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { runProgram } from "./support/run-program.ts";

test("npm run dev rejects unknown options and invalid ports before it creates its folder", async () => {
  const parent = mkdtempSync(join(tmpdir(), "signpost-usage-"));
  const folder = join(parent, "state");
  const unknown = await runProgram("dev", "--persist-to", folder, "--prot", "9000");
  expect(unknown).toMatchObject({ status: 1, stdout: "" });
  expect(unknown.stderr).toMatch(
    /^error: unknown option '--prot'\n\(Did you mean --port\?\)\n\nUsage: npm run dev -- /,
  );
  const port = await runProgram("dev", "--persist-to", folder, "--port", "0x50");
  expect(port).toEqual({ status: 1, stdout: "", stderr: "--port: must be 1 to 65535\n" });
  expect(readdirSync(parent)).toEqual([]);
});

test.each(["dev", "admin"] as const)("%s --help prints the usage", async (command) => {
  const { status, stdout, stderr } = await runProgram(command, "--help");
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toContain("--persist-to <folder>");
});

test.each([
  ["no command", [], "Usage: npm run admin -- [options] [command]"],
  ["the name of an inherited property", ["constructor"], "unknown command 'constructor'"],
  ["a missing argument", ["key", "revoke"], "missing required argument 'prefix'"],
  [
    "an unknown plan",
    ["workspace", "set-plan", "acme", "constructor"],
    "choices are free, pro, business, ent",
  ],
  [
    "an unknown role",
    ["member", "set-role", "--role", "constructor"],
    "option '--role <role>' argument 'constructor' is invalid. Allowed choices are owner, editor, viewer.",
  ],
  ["an option of another command", ["workspace", "list", "--email", "a"], "unknown option '--email'"],
  ["an unknown option", ["workspace", "list", "--jsno"], "unknown option '--jsno'"],
  [
    "a folder without state",
    ["workspace", "list", "--persist-to", "/nowhere"],
    "no local data in /nowhere; start",
  ],
  [
    "an unknown environment",
    ["workspace", "list", "--remote", "--env", "stage"],
    '--env: wrangler.toml has no environment "stage"',
  ],
])("npm run admin rejects %s with a message on stderr", async (_, args, message) => {
  const { status, stdout, stderr } = await runProgram("admin", ...args, "--json");
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr.split("\n")[0]).toContain(message);
  expect(stderr).not.toContain("    at ");
});

test("npm run deploy --help prints the usage", async () => {
  const { status, stdout, stderr } = await runProgram("deploy", "--help");
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toContain("--env <name>");
});

test.each([
  ["no environment", [], "required option '--env <name>' not specified"],
  ["an unknown location", ["--env", "production", "--location", "mars"], "Allowed choices are weur, eeur"],
  ["an unknown option", ["--env", "production", "--yes"], "unknown option '--yes'"],
  [
    "an argument",
    ["--env", "production", "production"],
    "too many arguments. Expected 0 arguments but got 1: production",
  ],
])("npm run deploy rejects %s with a message on stderr", async (_, args, message) => {
  const { status, stdout, stderr } = await runProgram("deploy", ...args);
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr).toContain(message);
  expect(stderr).not.toContain("    at ");
});

test("a command that fails exits with its status and prints its error to stderr", async () => {
  const program = join(import.meta.dirname, "../../src/cli/admin.ts");
  const failure = await promisify(execFile)(process.execPath, [program, "key", "revoke"]).catch(
    (error) => error,
  );
  expect(failure).toMatchObject({ code: 1, stdout: "" });
  expect(failure.stderr).toMatch(/^error: missing required argument 'prefix'\n/);
});
