import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { CommandError } from "../../src/cli/command.ts";
import { lockFolder } from "../../src/cli/lock.ts";
import { StateFolder } from "../../src/cli/state.ts";

const HOLD = resolve(import.meta.dirname, "../../src/cli/hold.ts");

function freshFolder(): string {
  return mkdtempSync(join(tmpdir(), "signpost-state-"));
}

/** A process that tries to hold a folder, says whether it does, and lives on. */
async function otherHolder(folder: string) {
  const program = `import { hold } from ${JSON.stringify(HOLD)};
    console.log(hold(process.argv[1]));
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
    expect(lockFolder(folder)).toBe(true);
    expect(lockFolder(folder)).toBe(false);
    const other = await otherHolder(folder);
    await other.kill();
    expect(other.holds).toBe(false);
  });

  test("is free again when its holder was killed", async () => {
    const folder = freshFolder();
    const first = await otherHolder(folder);
    expect(first.holds).toBe(true);
    expect(lockFolder(folder)).toBe(false);
    await first.kill();
    expect(lockFolder(folder)).toBe(true);
  });

  test("is held once among those who try at the same instant", async () => {
    const folder = freshFolder();
    const all = await Promise.all(Array.from({ length: 6 }, () => otherHolder(folder)));
    await Promise.all(all.map((holder) => holder.kill()));
    expect(all.filter(({ holds }) => holds)).toHaveLength(1);
  });

  test("is the same by another name", () => {
    const folder = freshFolder();
    const name = `${folder}-link`;
    symlinkSync(folder, name);
    expect(StateFolder.make(name).path).toBe(StateFolder.make(folder).path);
    expect(lockFolder(folder)).toBe(true);
    expect(lockFolder(name)).toBe(false);
  });

  test("does not stand in the way of another", async () => {
    expect(lockFolder(freshFolder())).toBe(true);
  });

  test("is made where there is none, also below others", () => {
    const path = join(freshFolder(), "a", "b");
    expect(StateFolder.make(path).path).toBe(path);
    expect(existsSync(path)).toBe(true);
  });

  test("is opened only where the service has been started", () => {
    const path = freshFolder();
    expect(() => StateFolder.open(path)).toThrow(`no state at ${path}; start the service once`);
    expect(() => StateFolder.open(join(path, "none"))).toThrow(CommandError);
    StateFolder.make(path).remember({ port: 9_000 });
    expect(StateFolder.open(path).remembered).toEqual({ port: 9_000 });
  });

  test("remembers what it is told, across starts and member by member", () => {
    const path = freshFolder();
    expect(StateFolder.make(path).remembered).toEqual({});
    StateFolder.make(path).remember({ port: 9_000 });
    StateFolder.make(path).remember({ demoKey: "svc_pk_x" });
    StateFolder.make(path).remember({ port: 9_001 });
    expect(StateFolder.make(path).remembered).toEqual({ port: 9_001, demoKey: "svc_pk_x" });
    expect(statSync(join(path, "start.json")).mode & 0o777).toBe(0o600);
  });
});

describe("the secrets of a state folder", () => {
  const read = (file: string) => readFileSync(file, "utf8");

  test("are long, random, for the owner alone, and stay", () => {
    const [one, other] = [StateFolder.make(freshFolder()), StateFolder.make(freshFolder())];
    const file = one.secretsFile(["SIGNING"]);
    const text = read(file);
    expect(text).toMatch(/^SIGNING=[A-Za-z0-9_-]{43}\n$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(read(one.secretsFile(["SIGNING"]))).toBe(text);
    expect(read(other.secretsFile(["SIGNING"]))).not.toBe(text);
  });

  test("are added to when a new one is needed, and what a user wrote is kept", () => {
    const state = StateFolder.make(freshFolder());
    writeFileSync(join(state.path, "secrets.env"), "MINE=1\nSIGNING_OLD=2\n");
    const text = read(state.secretsFile(["SIGNING", "MINE"]));
    expect(text).toMatch(/^MINE=1\nSIGNING_OLD=2\nSIGNING=[A-Za-z0-9_-]{43}\n$/);
  });
});
