import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { CommandError } from "../../src/cli/command-error.ts";
import { startReceiver } from "../../src/cli/demo/demo-receiver.ts";
import { runLocalBatch } from "../../src/cli/local-databases.ts";
import { claimState } from "../../src/cli/local-service.ts";
import { lockFolder } from "../../src/cli/lock.ts";
import { StateFolder } from "../../src/cli/state.ts";
import { IS_LONG } from "../support/long-tests.ts";

const LOCK_MODULE = join(import.meta.dirname, "../../src/cli/lock.ts");

function createTempFolder(): string {
  return mkdtempSync(join(tmpdir(), "signpost-state-"));
}

/** Starts another process that tries to lock a folder, and then keeps running. */
async function startLocker(folder: string) {
  const program = `import { lockFolder } from ${JSON.stringify(LOCK_MODULE)};
    console.log(lockFolder(process.argv[1]));
    setInterval(() => {}, 60_000);`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program, folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [output] = await once(child.stdout, "data");
  return {
    hasLock: String(output).trim() === "true",
    async kill() {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

describe("lockFolder", () => {
  test("returns false until the process that locked the folder is killed, and in the process itself", async () => {
    const folder = createTempFolder();
    const first = await startLocker(folder);
    expect(first.hasLock).toBe(true);
    expect(lockFolder(folder)).toBe(false);
    await first.kill();
    expect(lockFolder(folder)).toBe(true);
    expect(lockFolder(folder)).toBe(false);
  });

  test("locks a folder only once if several processes try simultaneously", async () => {
    const folder = createTempFolder();
    const lockers = await Promise.all(Array.from({ length: IS_LONG ? 6 : 3 }, () => startLocker(folder)));
    await Promise.all(lockers.map((locker) => locker.kill()));
    expect(lockers.filter(({ hasLock }) => hasLock)).toHaveLength(1);
  });

  test("recognizes a locked folder under the path of a symbolic link", () => {
    const folder = createTempFolder();
    const name = `${folder}-link`;
    symlinkSync(folder, name);
    expect(StateFolder.create(name).path).toBe(StateFolder.create(folder).path);
    expect(lockFolder(folder)).toBe(true);
    expect(lockFolder(name)).toBe(false);
  });

  test("locks another folder independently", async () => {
    expect(lockFolder(createTempFolder())).toBe(true);
  });
});

const getMode = (path: string) => statSync(path).mode & 0o777;

describe("StateFolder", () => {
  test("create creates missing folders, including nested folders, that only their owner can open", () => {
    const path = join(createTempFolder(), "a", "b");
    expect(StateFolder.create(path).path).toBe(path);
    expect(getMode(path)).toBe(0o700);
  });

  test("open throws CommandError if the service never started in the folder", () => {
    const path = createTempFolder();
    expect(() => StateFolder.open(path)).toThrow(`no local data in ${path}; start the service first`);
    expect(() => StateFolder.open(join(path, "none"))).toThrow(CommandError);
    StateFolder.create(path).save({ port: 9_000 });
    expect(StateFolder.open(path).saved).toEqual({ layout: 2, port: 9_000 });
  });

  test("a folder of an earlier version is rejected with advice and stays unchanged", () => {
    const path = createTempFolder();
    const text = '{"port":8787,"demoKey":"svc_pk_x"}';
    writeFileSync(join(path, "start.json"), text);
    for (const use of [() => StateFolder.create(path), () => StateFolder.open(path)]) {
      expect(use).toThrow(CommandError);
      expect(use).toThrow(
        `${path} was created by an incompatible earlier version of Signpost. Nothing was changed. ` +
          "Move the folder away or choose another one with --persist-to.",
      );
    }
    expect(readdirSync(path)).toEqual(["start.json"]);
    expect(readFileSync(join(path, "start.json"), "utf8")).toBe(text);
  });

  test("save keeps the values of earlier saves in a private file", () => {
    const path = createTempFolder();
    expect(StateFolder.create(path).saved).toEqual({});
    StateFolder.create(path).save({ port: 9_000 });
    StateFolder.create(path).save({ demoKey: "svc_pk_x" });
    StateFolder.create(path).save({ port: 9_001 });
    expect(StateFolder.create(path).saved).toEqual({ layout: 2, port: 9_001, demoKey: "svc_pk_x" });
    expect(getMode(join(path, "start.json"))).toBe(0o600);
  });
});

test("copies of the data have no salt of visitor marks, and the last three stay", async () => {
  const state = StateFolder.create(createTempFolder());
  for (const folder of ["d1", "do/signpost-DurableQueue", "do/signpost-VisitorSalt"]) {
    mkdirSync(join(state.storage, folder), { recursive: true });
    writeFileSync(join(state.storage, folder, "data.sqlite"), "");
  }
  const copies: string[] = [];
  for (let copy = 0; copy < 4; copy++) {
    await vi.waitUntil(() => !copies.at(-1)?.includes(new Date().toISOString().replaceAll(":", "-")));
    copies.push(state.copyStorage());
  }
  expect(copies.map((copy) => existsSync(copy))).toEqual([false, true, true, true]);
  expect(globSync("**/*.sqlite", { cwd: copies[3] as string }).toSorted()).toEqual([
    "d1/data.sqlite",
    "do/signpost-DurableQueue/data.sqlite",
  ]);
});

describe("StateFolder.ensureSecretsFile", () => {
  const read = (file: string) => readFileSync(file, "utf8");

  test("generates long random secrets in a private file, once", () => {
    const [one, other] = [StateFolder.create(createTempFolder()), StateFolder.create(createTempFolder())];
    const file = one.ensureSecretsFile(["SIGNING"]);
    const text = read(file);
    expect(text).toMatch(/^SIGNING=[A-Za-z0-9_-]{43}\n$/);
    expect(getMode(file)).toBe(0o600);
    expect(read(one.ensureSecretsFile(["SIGNING"]))).toBe(text);
    expect(read(other.ensureSecretsFile(["SIGNING"]))).not.toBe(text);
  });

  test("doesn't change a file that has all secrets", () => {
    const state = StateFolder.create(createTempFolder());
    writeFileSync(join(state.path, "secrets.env"), "SIGNING=1\n\n");
    expect(read(state.ensureSecretsFile(["SIGNING"]))).toBe("SIGNING=1\n\n");
  });

  test("adds missing secrets and keeps lines that a user wrote", () => {
    const state = StateFolder.create(createTempFolder());
    writeFileSync(join(state.path, "secrets.env"), "MINE=1\nSIGNING_OLD=2\n");
    const text = read(state.ensureSecretsFile(["SIGNING", "MINE"]));
    expect(text).toMatch(/^MINE=1\nSIGNING_OLD=2\nSIGNING=[A-Za-z0-9_-]{43}\n$/);
  });
});

describe("databases of the first start", () => {
  test("are in their final folder once they are complete, and later starts keep them", () => {
    const path = createTempFolder();
    const state = StateFolder.create(path);
    expect(state.beginStorage()).toBe(true);
    mkdirSync(state.storage);
    writeFileSync(join(state.storage, "database"), "1");
    state.save({ port: 9_000 });
    expect(existsSync(join(path, "v3"))).toBe(false);
    expect(() => StateFolder.open(path)).toThrow("start the service first");

    state.finishStorage();
    expect(state.storage).toBe(join(state.path, "v3"));
    expect(readFileSync(join(path, "v3/database"), "utf8")).toBe("1");
    expect(StateFolder.open(path).storage).toBe(state.storage);
    expect(getMode(state.storage)).toBe(0o700);
    chmodSync(state.storage, 0o755);
    expect(StateFolder.create(path).beginStorage()).toBe(false);
    expect(getMode(state.storage)).toBe(0o700);
    state.copyStorage();
    expect(getMode(join(path, "before-updates"))).toBe(0o700);
  });

  test("are created again if the first start was killed", () => {
    const path = createTempFolder();
    const killed = StateFolder.create(path);
    killed.beginStorage();
    mkdirSync(killed.storage);
    writeFileSync(join(killed.storage, "half"), "");

    const state = StateFolder.create(path);
    expect(state.beginStorage()).toBe(true);
    expect(existsSync(join(state.storage, "half"))).toBe(false);
  });

  test("the Worker gets the secrets in the file it is started with", () => {
    const state = StateFolder.create(createTempFolder());
    const secrets = state.ensureSecrets(["UPLOAD_SECRET", "WEBHOOK_KEY"]);
    expect(Object.values(secrets).every((secret) => secret.length === 43)).toBe(true);
    const file = readFileSync(state.ensureSecretsFile(["UPLOAD_SECRET", "WEBHOOK_KEY"]), "utf8");
    expect(file).toBe(`UPLOAD_SECRET=${secrets.UPLOAD_SECRET}\nWEBHOOK_KEY=${secrets.WEBHOOK_KEY}\n`);
  });
});

test("the receiver of the demo's webhooks accepts deliveries, and keeps its port for later starts", async () => {
  const state = StateFolder.create(createTempFolder());
  const url = await startReceiver(state);
  const delivery = await fetch(`${url}/shop`, { method: "POST", body: "{}" });
  expect([delivery.status, await delivery.json()]).toEqual([200, { ok: true }]);
  expect(new URL(url).hostname).toBe("127.0.0.1");
  expect(state.saved.receiverPort).toBe(Number(new URL(url).port));
});

test("commands go through the service that holds a folder, once it has started", async () => {
  const state = StateFolder.create(createTempFolder());
  const locker = await startLocker(state.path);
  const received: unknown[] = [];
  const server = createServer(async (request, response) => {
    if (request.method === "GET") return response.end();
    const { statements } = (await json(request)) as { statements: string[] };
    received.push(request.headers.secret, statements);
    if (statements[0] === "wrong") return response.writeHead(422).end("no such column: wrong");
    return response.end('[{"results":[{"a":1}]}]');
  });
  onTestFinished(async () => {
    server.close();
    await locker.kill();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const running = runLocalBatch(state, "DIRECTORY", ["SELECT 1 AS a"]);
  state.save({ control: { url, headers: { secret: "s" } } });
  expect(await running).toEqual([{ results: [{ a: 1 }] }]);
  await expect(runLocalBatch(state, "SHARD_0", ["wrong"])).rejects.toThrow("no such column: wrong");
  expect(received).toEqual(["s", ["SELECT 1 AS a"], "s", ["wrong"]]);
  await expect(claimState(state.path)).rejects.toThrow("in use by another running service");
});

test("a folder that can't be created is refused", () => {
  expect(() => StateFolder.create("/proc/signpost/state")).toThrow(
    "/proc/signpost can't be created (ENOENT)",
  );
});
