import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { hold } from "../../src/cli/hold.ts";
import { StateFolder } from "../../src/cli/state.ts";

const HOLD = resolve(import.meta.dirname, "../../src/cli/hold.ts");

function freshFolder(): string {
  return mkdtempSync(join(tmpdir(), "signpost-state-"));
}

/** A process that tries to hold a folder, says whether it does, and lives on. */
async function otherHolder(folder: string) {
  const program = `import { hold } from ${JSON.stringify(HOLD)};
    console.log(await hold(process.argv[1]));
    setInterval(() => {}, 60_000);`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program, folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [said] = await once(child.stdout, "data");
  return {
    holds: String(said).trim() === "true",
    async kill() {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

describe("a state folder", () => {
  test("is held once, by whichever process came first", async () => {
    const folder = freshFolder();
    expect(await hold(folder)).toBe(true);
    expect(await hold(folder)).toBe(false);
    const other = await otherHolder(folder);
    await other.kill();
    expect(other.holds).toBe(false);
  });

  test("is free again when its holder was killed", async () => {
    const folder = freshFolder();
    const first = await otherHolder(folder);
    expect(first.holds).toBe(true);
    expect(await hold(folder)).toBe(false);
    await first.kill();
    expect(await hold(folder)).toBe(true);
  });

  test("does not stand in the way of another", async () => {
    expect(await hold(freshFolder())).toBe(true);
    expect(await hold(join(freshFolder(), "a".repeat(200)))).toBe(true);
  });

  test("is made where there is none, also below others", () => {
    const path = join(freshFolder(), "a", "b");
    expect(new StateFolder(path).path).toBe(path);
    expect(existsSync(path)).toBe(true);
  });

  test("remembers what it is told, across starts and member by member", () => {
    const path = freshFolder();
    expect(new StateFolder(path).remembered).toEqual({});
    new StateFolder(path).remember({ port: 9_000 });
    new StateFolder(path).remember({ demoKey: "svc_pk_x" });
    new StateFolder(path).remember({ port: 9_001 });
    expect(new StateFolder(path).remembered).toEqual({ port: 9_001, demoKey: "svc_pk_x" });
    expect(statSync(join(path, "start.json")).mode & 0o777).toBe(0o600);
  });
});

describe("the secrets of a state folder", () => {
  const read = (file: string) => readFileSync(file, "utf8");

  test("are long, random, for the owner alone, and stay", () => {
    const [one, other] = [new StateFolder(freshFolder()), new StateFolder(freshFolder())];
    const file = one.secretsFile(["SIGNING"]);
    const text = read(file);
    expect(text).toMatch(/^SIGNING=[A-Za-z0-9_-]{43}\n$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(read(one.secretsFile(["SIGNING"]))).toBe(text);
    expect(read(other.secretsFile(["SIGNING"]))).not.toBe(text);
  });

  test("are added to when a new one is needed, and what a user wrote is kept", () => {
    const state = new StateFolder(freshFolder());
    writeFileSync(join(state.path, "secrets.env"), "MINE=1\nSIGNING_OLD=2\n");
    const text = read(state.secretsFile(["SIGNING", "MINE"]));
    expect(text).toMatch(/^MINE=1\nSIGNING_OLD=2\nSIGNING=[A-Za-z0-9_-]{43}\n$/);
  });
});
