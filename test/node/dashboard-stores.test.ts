import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { TURN_MS } from "../../src/dashboard/data/limit-pause.ts";
import { PERSON_BURST_PER_SECOND } from "../../src/limits/allowance.ts";

/** Dashboard calls for lists and for many items, with a small service that records its requests. */

const ORIGIN = "https://app.example";

let asked: { method: string; url: URL; body: unknown }[] = [];
let answer: (url: URL, number: number) => Response | Promise<Response>;

const leaving: (() => void)[] = [];
vi.stubGlobal("location", new URL(ORIGIN));
vi.stubGlobal("addEventListener", (_: string, listener: () => void) => leaving.push(listener));
vi.stubGlobal("fetch", async (request: Request) => {
  const text = await request.text();
  const url = new URL(request.url);
  asked.push({ method: request.method, url, body: text === "" ? null : JSON.parse(text) });
  return answer(url, asked.length);
});

/**
 * Loads a file after setting the globals that it reads. Its types are browser types, which tests do not have.
 */
const load = (path: string) => import(/* @vite-ignore */ `../../src/dashboard/${path}.ts`);
const { readFurther, resources } = await load("data/resources");
const links = await load("screens/links/link-store");
const commands = await load("screens/links/bulk-commands");
const pages = await load("screens/pages/page-store");
const assets = await load("uploads/asset-store");
const audit = await load("screens/settings/audit-store");
const deliveries = await load("screens/webhooks/delivery-store");
const { createTarget } = await load("screens/import/import-engine");
const { createUploadJob } = await load("uploads/upload-file");
const { deleteLater, hiddenIds } = await load("components/delayed-deletion");
const toastList = await load("components/toast-list");
const { copyText } = await load("components/copy-text");

beforeEach(() => {
  asked = [];
});
afterEach(() => {
  vi.useRealTimers();
});

/** List items, newest first: `item-9`, `item-8`. */
const listItems = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: `item-${from - index}`,
    labels: [] as string[],
    created_at: "2026-11-22T12:00:00.000Z",
  }));

/** Responds like a list of `total` items with a maximum page size. */
function answerPages(total: number, buildMore: (last: string | null) => object = () => ({})) {
  answer = (url) => {
    const from = Number(url.searchParams.get("before")?.slice("item-".length) ?? total + 1) - 1;
    const count = Math.min(from, Number(url.searchParams.get("limit")));
    const next = count === from ? null : `item-${from - count + 1}`;
    const headers = next === null ? {} : { Link: `<${url.pathname}?before=${next}>; rel="next"` };
    const meta = { total, total_is_capped: false, ...buildMore(next) };
    return Response.json({ data: listItems(from, count), meta }, { headers });
  };
}

const queries = () => asked.map(({ url }) => Object.fromEntries(url.searchParams));
interface List {
  items: { id: string }[];
  nextBefore: string | null;
}

describe("further pages of a list are read after the first, and appended:", () => {
  test.each<[name: string, size: number, read: (before: string | null) => Promise<List>, more?: object]>([
    ["links", 50, (before) => links.readPage({ search: "second" }, before), { search: "second" }],
    ["bio pages", 24, (before) => pages.readPages(before)],
    ["files", 100, (before) => assets.readAssets(before)],
    ["the audit log", 50, (before) => audit.readEntries({}, before)],
    ["deliveries", 50, (before) => deliveries.readDeliveries("w", { fromMs: null }, before)],
  ])("%s", async (name, size, read, more = {}) => {
    answerPages(size + 1, (next_before) => ({ next_before }));
    await resources.read(name, () => read(null));
    await readFurther(name, read);
    const { items, nextBefore } = resources.get(name).value as List;
    expect([items.length, nextBefore]).toEqual([size + 1, null]);
    expect(queries()).toEqual([
      { ...more, limit: `${size}` },
      { ...more, limit: `${size}`, before: "item-2" },
    ]);
  });

  test("all links, in pages of the maximum size", async () => {
    answerPages(401, (next_before) => ({ next_before }));
    expect(await links.readAll({}, () => true)).toHaveLength(401);
    expect(queries().map(({ limit, before }) => [limit, before])).toEqual([
      ["200", undefined],
      ["200", "item-202"],
      ["200", "item-2"],
    ]);
    expect(await links.readAll({}, (count: number) => count < 400)).toHaveLength(400);
  });

  test("the end of a list of files with a full last page shows in an empty page", async () => {
    answerPages(100);
    expect((await assets.readAssets()).nextBefore).toBe("item-1");
    expect(await assets.readAssets("item-1")).toEqual({ items: [], nextBefore: null });
  });
});

/** Responds once no further call arrives. Returns the number of simultaneous calls. */
function answerTogether(body: object, status = 200) {
  const most = { number: 0 };
  let underWay = 0;
  answer = async () => {
    most.number = Math.max(most.number, ++underWay);
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    underWay--;
    return Response.json(body, { status, headers: status === 429 ? { "Retry-After": "2" } : {} });
  };
  return most;
}

/** Runs timers immediately. Returns their requested durations. */
function skipPauses(): number[] {
  const pausesMs: number[] = [];
  vi.spyOn(globalThis, "setTimeout").mockImplementation(((run: () => void, durationMs: number) => {
    pausesMs.push(durationMs);
    setImmediate(run);
  }) as unknown as typeof setTimeout);
  return pausesMs;
}

describe("bulk actions", () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });
  const run = (command: object, count: number) =>
    commands.runCommand(command, listItems(count, count), () => {}, new AbortController().signal);

  test("send 200 ids per call, 55 ms apart", async () => {
    const pausesMs = skipPauses();
    answerTogether({ data: {}, meta: {} });
    expect(await run(commands.setEnabledCommand(false), 401)).toMatchObject({ done: 401 });
    expect(asked.map(({ body }) => (body as { ids: [] }).ids.length)).toEqual([200, 200, 1]);
    expect(pausesMs).toEqual([55, 55, 55]);
    expect(TURN_MS).toBeGreaterThan(1_000 / PERSON_BURST_PER_SECOND);
  });

  test("have the same delay in an import", async () => {
    const pausesMs = skipPauses();
    answerTogether({ data: [], meta: {} });
    const target = createTarget();
    await Promise.all([target.findCodes(["a"]), target.findCodes(["b"])]);
    expect(pausesMs).toEqual([55, 55]);
  });

  test("make four calls at a time, and six tries of each after limits", async () => {
    const pausesMs = skipPauses();
    const most = answerTogether({ error: { code: "RATE_LIMIT_EXCEEDED", message: "No." } }, 429);
    expect(await run(commands.deleteCommand(), 1)).toMatchObject({ failed: 1 });
    expect(asked).toHaveLength(6);
    expect(pausesMs.filter((durationMs) => durationMs !== 55)).toEqual(Array(5).fill(2_000));
    expect(most.number).toBe(1);
    const working = answerTogether({ data: {}, meta: {} });
    await run(commands.deleteCommand(), 9);
    expect(working.number).toBe(4);
  });
});

describe("a retried upload", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test.each([
    [60_000, 1],
    [59_999, 2],
  ])("with %i ms left until its URL expires requests %i new URLs", async (leftMs, presigned) => {
    const nowMs = Date.parse("2026-11-22T12:00:00Z");
    vi.useFakeTimers({ toFake: ["Date"], now: nowMs });
    class Offline {
      upload = {};
      onerror = () => {};
      open() {}
      send() {
        this.onerror();
      }
    }
    vi.stubGlobal("XMLHttpRequest", Offline);
    const upload = { method: "PUT", url: "/upload", headers: {}, expires_at: new Date(nowMs + leftMs) };
    answer = () => Response.json({ data: { id: "a", upload }, meta: {} });
    const job = createUploadJob(new File(["x"], "x.txt"), false);
    const { signal } = new AbortController();
    for (let attempt = 1; attempt <= 2; attempt++)
      await expect(job.run(() => {}, signal)).rejects.toMatchObject({ kind: "offline" });
    expect(asked.filter(({ url }) => url.pathname.endsWith("/presign"))).toHaveLength(presigned);
  });
});

describe("a deletion", () => {
  /** Deletes an item. Returns for each call whether it was sent while leaving the page. */
  function remove(id: string): boolean[] {
    const sent: boolean[] = [];
    deleteLater({ ids: [id], message: id, send: async (isLeaving: boolean) => void sent.push(isLeaving) });
    return sent;
  }
  const findToast = (text: string) =>
    toastList.toasts.value.find((toast: { text: string }) => toast.text === text);
  beforeEach(() => void vi.useFakeTimers());

  test("is sent after eight seconds, in which it can be undone", async () => {
    const sent = remove("a");
    await vi.advanceTimersByTimeAsync(7_999);
    expect([sent, [...hiddenIds.value]]).toEqual([[], ["a"]]);
    await vi.advanceTimersByTimeAsync(1);
    expect([sent, [...hiddenIds.value], toastList.toasts.value]).toEqual([[false], [], []]);
  });

  test("is sent when the page is left, and not again", async () => {
    const sent = remove("b");
    for (const leave of leaving) leave();
    await vi.advanceTimersByTimeAsync(8_000);
    expect(sent).toEqual([true]);
  });

  test("waits while its message is held, and four seconds more", async () => {
    const sent = remove("c");
    await vi.advanceTimersByTimeAsync(7_999);
    toastList.holdToasts();
    await vi.advanceTimersByTimeAsync(60_000);
    toastList.releaseToasts();
    await vi.advanceTimersByTimeAsync(3_999);
    expect(sent).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toEqual([false]);
  });

  test("waits for its message if pointer or focus return after both have left", async () => {
    const sent = remove("h");
    toastList.holdToasts();
    for (const _ of ["pointer", "focus"]) toastList.releaseToasts();
    toastList.holdToasts();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent).toEqual([]);
    toastList.dropToast(findToast("h").id);
    expect(sent).toEqual([false]);
  });

  test("is never sent once it was undone, even if the page is left", async () => {
    const sent = remove("d");
    toastList.runAction(findToast("d"));
    expect([[...hiddenIds.value], toastList.toasts.value]).toEqual([[], []]);
    for (const leave of leaving) leave();
    await vi.advanceTimersByTimeAsync(8_000);
    expect(sent).toEqual([]);
  });

  test("is sent when its message is dismissed or replaced by three newer ones", async () => {
    const dismissed = remove("e");
    toastList.dropToast(findToast("e").id);
    expect(dismissed).toEqual([false]);
    const displaced = remove("f");
    for (const text of ["1", "2"]) toastList.showToast(text);
    expect(displaced).toEqual([]);
    toastList.showToast("3");
    expect(displaced).toEqual([false]);
    await vi.advanceTimersByTimeAsync(8_000);
    expect([dismissed, displaced]).toEqual([[false], [false]]);
  });

  test("shows why it failed, and restores its item", async () => {
    deleteLater({ ids: ["g"], message: "g", send: () => Promise.reject(new Error("down")) });
    toastList.dropToast(findToast("g").id);
    await vi.advanceTimersByTimeAsync(0);
    expect(toastList.toasts.value).toMatchObject([{ action: null }]);
    expect([...hiddenIds.value]).toEqual([]);
    await vi.advanceTimersByTimeAsync(8_000);
  });
});

test.each([
  ["copies a text", async () => {}, true, []],
  [
    "shows a message if the browser refuses",
    () => Promise.reject(new DOMException("", "NotAllowedError")),
    false,
    ["Your browser doesn't allow copying. Select the text and copy it instead."],
  ],
])("copyText %s", async (_, writeText, isCopied, messages) => {
  vi.useFakeTimers();
  vi.stubGlobal("navigator", { clipboard: { writeText } });
  expect(await copyText("https://go.example/a")).toBe(isCopied);
  expect(toastList.toasts.value.map(({ text }: { text: string }) => text)).toEqual(messages);
  await vi.advanceTimersByTimeAsync(8_000);
});
