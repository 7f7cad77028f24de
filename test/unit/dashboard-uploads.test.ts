import { describe, expect, test } from "vitest";
import { CallError, createOfflineFault } from "../../src/dashboard/data/call-error.ts";
import {
  FILE_MAX_BYTES,
  findFileFault,
  findKind,
  isLogo,
  isPicture,
  nameType,
} from "../../src/dashboard/uploads/asset-kind.ts";
import { type ReportProgress, UploadQueue } from "../../src/dashboard/uploads/upload-queue.ts";

describe("kinds of files", () => {
  test.each([
    ["image/png", "image"],
    ["video/mp4", "video"],
    ["audio/mpeg", "audio"],
    ["application/pdf", "document"],
    ["text/plain; charset=utf-8", "document"],
    ["application/vnd.openxmlformats-officedocument.wordprocessingml.document", "document"],
    ["application/zip", "other"],
    ["font/woff2", "other"],
  ])("%s is %s", (type, kind) => {
    expect(findKind(type)).toBe(kind);
  });

  test.each([
    ["image/png", true],
    ["image/avif", true],
    ["image/svg+xml", false],
    ["image/jpegx", false],
    ["application/pdf", false],
  ])("%s is an image: %s", (type, isShown) => {
    expect(isPicture(type)).toBe(isShown);
  });

  test.each([
    ["image/png", 1_048_576, true],
    ["image/png", 1_048_577, false],
    ["image/avif", 10, false],
    ["image/webp", 10, true],
  ])("a logo of %s with %i bytes: %s", (mime_type, file_size, fits) => {
    expect(isLogo({ mime_type, file_size, public_url: null })).toBe(fits);
  });

  test.each([
    [0, /empty/],
    [FILE_MAX_BYTES + 1, /100 MB/],
  ])("a file of %i bytes is not sent", (size, message) => {
    expect(findFileFault({ size })).toMatch(message);
  });

  test.each([1, FILE_MAX_BYTES])("a file of %i bytes is sent", (size) => {
    expect(findFileFault({ size })).toBeNull();
  });

  test.each([
    ["menu.pdf", "application/pdf", "PDF"],
    ["photo.JPeG", "image/jpeg", "JPEG"],
    ["README", "text/plain; charset=utf-8", "PLAIN"],
    ["data", "application/x-thing", "FILE"],
    ["a.verylongend", "image/png", "PNG"],
  ])("the type of %s is named %s", (name, type, text) => {
    expect(nameType(name, type)).toBe(text);
  });
});

describe("the queue of uploads", () => {
  /** Queue whose jobs end when the test ends them. */
  function useQueue() {
    const runs: {
      source: string;
      report: ReportProgress;
      end: () => void;
      fail: (fault: unknown) => void;
    }[] = [];
    const discarded: string[] = [];
    const done: string[] = [];
    const queue = new UploadQueue<string, string>({
      createJob: (source) => ({
        run: (report, signal) =>
          new Promise((resolve, reject) => {
            signal.addEventListener("abort", () => reject(new Error("aborted")));
            runs.push({ source, report, end: () => resolve(`asset of ${source}`), fail: reject });
          }),
        discard: () => discarded.push(source),
      }),
      findFault: (source) =>
        source === "bad" ? new CallError({ kind: "invalid", code: "X", message: "No." }) : null,
      onDone: (result) => done.push(result),
    });
    const phases = () => queue.uploads.value.map(({ phase }) => phase).join(" ");
    const settle = () => new Promise((resolve) => setTimeout(resolve));
    return { queue, runs, discarded, done, phases, settle };
  }

  test("three uploads run at a time, and the next starts when one ends", async () => {
    const { queue, runs, done, phases, settle } = useQueue();
    queue.add(["a", "b", "c", "d"]);
    expect(phases()).toBe("sending sending sending waiting");
    runs[1]?.end();
    await settle();
    expect(phases()).toBe("sending done sending sending");
    expect(done).toEqual(["asset of b"]);
    expect(queue.uploads.value[1]?.result).toBe("asset of b");
    queue.clearDone();
    expect(phases()).toBe("sending sending sending");
  });

  test("progress is shown, and sending the last byte is not yet the end", () => {
    const { queue, runs, phases } = useQueue();
    queue.add(["a"]);
    runs[0]?.report(5, false);
    expect(queue.uploads.value[0]).toMatchObject({ sentBytes: 5, phase: "sending" });
    runs[0]?.report(9, true);
    expect(phases()).toBe("finishing");
  });

  test("a failed upload is kept until it is retried", async () => {
    const { queue, runs, discarded, phases, settle } = useQueue();
    queue.add(["a"]);
    const fault = createOfflineFault();
    runs[0]?.report(5, false);
    runs[0]?.fail(fault);
    await settle();
    expect(queue.uploads.value[0]).toMatchObject({ phase: "failed", fault });
    queue.retry(queue.uploads.value[0]?.id ?? 0);
    expect(queue.uploads.value[0]).toMatchObject({ phase: "sending", fault: null, sentBytes: 0 });
    runs[1]?.end();
    await settle();
    expect(phases()).toBe("done");
    expect(discarded).toEqual([]);
  });

  test("a cancelled upload stops, leaves nothing, and frees its slot", async () => {
    const { queue, runs, discarded, done, settle } = useQueue();
    queue.add(["a", "b", "c", "d"]);
    queue.remove(queue.uploads.value[0]?.id ?? 0);
    await settle();
    expect(discarded).toEqual(["a"]);
    expect(runs.map(({ source }) => source)).toEqual(["a", "b", "c", "d"]);
    expect(queue.uploads.value.map(({ source }) => source)).toEqual(["b", "c", "d"]);
    expect(done).toEqual([]);
  });

  test("dismissing a finished upload keeps its asset", async () => {
    const { queue, runs, discarded, settle } = useQueue();
    queue.add(["a"]);
    runs[0]?.end();
    await settle();
    queue.remove(queue.uploads.value[0]?.id ?? 0);
    expect(queue.uploads.value).toEqual([]);
    expect(discarded).toEqual([]);
  });

  test("a file that cannot be sent fails without starting", () => {
    const { queue, runs, phases } = useQueue();
    queue.add(["bad", "a"]);
    expect(phases()).toBe("failed sending");
    expect(runs).toHaveLength(1);
  });
});
