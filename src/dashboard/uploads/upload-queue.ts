import { type ReadonlySignal, signal } from "@preact/signals-core";
import { trackWork } from "../data/pending-work.ts";

/** Uploads several files, a few in parallel, with progress. Uploads can be cancelled and retried. */

export type UploadPhase = "waiting" | "sending" | "finishing" | "done" | "failed";

/** Upload of a file, as shown in a list. */
export interface Upload<Source, Result> {
  id: number;
  source: Source;
  phase: UploadPhase;
  sentBytes: number;
  /** Fault of the last attempt, or null. */
  fault: unknown;
  result: Result | null;
}

/** Called with the number of bytes sent, and whether all bytes are sent. */
export type ReportProgress = (sentBytes: number, areAllSent: boolean) => void;

/** Work of one upload. Another run continues where the previous one failed. */
export interface UploadJob<Result> {
  run(report: ReportProgress, signal: AbortSignal): Promise<Result>;
  /** Cleans up after an upload that is given up. */
  discard(): void;
}

interface QueueOptions<Source, Result> {
  createJob: (source: Source) => UploadJob<Result>;
  /** Returns the fault of a file that can't be uploaded, or null. */
  findFault: (source: Source) => unknown;
  onDone: (result: Result, source: Source) => void;
}

/** Maximum parallel uploads. More would make each upload slower without using the connection better. */
const PARALLEL = 3;

export class UploadQueue<Source, Result> {
  readonly #options: QueueOptions<Source, Result>;
  readonly #uploads = signal<readonly Upload<Source, Result>[]>([]);
  readonly #jobs = new Map<number, UploadJob<Result>>();
  readonly #running = new Map<number, AbortController>();
  #lastId = 0;

  constructor(options: QueueOptions<Source, Result>) {
    this.#options = options;
  }

  /** Uploads in the order in which they were added. */
  get uploads(): ReadonlySignal<readonly Upload<Source, Result>[]> {
    return this.#uploads;
  }

  /** Adds files and starts uploading. */
  add(sources: readonly Source[]): void {
    const added = sources.map((source): Upload<Source, Result> => {
      const fault = this.#options.findFault(source);
      const phase = fault === null ? "waiting" : "failed";
      return { id: ++this.#lastId, source, phase, sentBytes: 0, fault, result: null };
    });
    for (const { id, source } of added) this.#jobs.set(id, this.#options.createJob(source));
    this.#uploads.value = [...this.#uploads.peek(), ...added];
    this.#start();
  }

  /** Retries a failed upload. */
  retry(id: number): void {
    this.#change(id, { phase: "waiting", fault: null, sentBytes: 0 });
    this.#start();
  }

  /** Cancels an upload, or removes a finished upload from the list. */
  remove(id: number): void {
    const upload = this.#uploads.peek().find((other) => other.id === id);
    if (upload === undefined) return;
    this.#running.get(id)?.abort();
    if (upload.phase !== "done") this.#jobs.get(id)?.discard();
    this.#forget((other) => other.id === id);
    this.#start();
  }

  /** Removes all finished uploads from the list. */
  clearDone(): void {
    this.#forget(({ phase }) => phase === "done");
  }

  #forget(isGone: (upload: Upload<Source, Result>) => boolean): void {
    for (const upload of this.#uploads.peek()) if (isGone(upload)) this.#jobs.delete(upload.id);
    this.#uploads.value = this.#uploads.peek().filter((upload) => !isGone(upload));
  }

  #start(): void {
    for (const { id, phase } of this.#uploads.peek()) {
      if (this.#running.size >= PARALLEL) return;
      if (phase === "waiting" && !this.#running.has(id)) trackWork(this.#run(id));
    }
  }

  async #run(id: number): Promise<void> {
    const job = this.#jobs.get(id);
    const source = this.#uploads.peek().find((upload) => upload.id === id)?.source;
    if (job === undefined || source === undefined) return;
    const controller = new AbortController();
    this.#running.set(id, controller);
    this.#change(id, { phase: "sending" });
    const report: ReportProgress = (sentBytes, areAllSent) =>
      this.#change(id, { sentBytes, phase: areAllSent ? "finishing" : "sending" });
    try {
      const result = await job.run(report, controller.signal);
      this.#change(id, { phase: "done", result });
      if (!controller.signal.aborted) this.#options.onDone(result, source);
    } catch (fault) {
      this.#change(id, { phase: "failed", fault });
    }
    this.#running.delete(id);
    this.#start();
  }

  #change(id: number, change: Partial<Upload<Source, Result>>): void {
    this.#uploads.value = this.#uploads
      .peek()
      .map((upload) => (upload.id === id ? { ...upload, ...change } : upload));
  }
}
