import type { Command } from "commander";
import { formatCount } from "../../core/format-count.ts";
import { sleep } from "../abortable-sleep.ts";
import { createApiTarget } from "../import/api-target.ts";
import { createPacer } from "../import/pacer.ts";
import { findHostProblem, type RequestPlatform, requestUrl } from "../import/request-url.ts";
import { listRowsToVerify, pickSample, type VerifiedRow, verifyRows } from "../import/verify-import.ts";
import { type CommandContext, openClient, writeList, writeResult } from "./command-context.ts";
import { CommandError, EXIT } from "./exit-code.ts";
import { addFileOptions, type FileOptions, planFile, readFile } from "./import-file.ts";
import { parseInteger } from "./link-options.ts";
import { openProgressBar } from "./progress-bar.ts";
import type { Column } from "./table.ts";

interface VerifyOptions extends FileOptions {
  sample?: number;
  allowPrivateHosts?: true;
}

/** Minimum time between two requests, whichever service they go to: at most 10 requests per second. */
const GAP_MS = 100;
const TIMEOUT_MS = 10_000;

const COLUMNS: readonly Column<VerifiedRow>[] = [
  { title: "Line", format: ({ line }) => String(line), isNumber: true },
  { title: "Old URL", format: ({ formerUrl }) => formerUrl },
  { title: "Difference", format: ({ difference }) => difference ?? "", isFlexible: true },
];

/** Adds the `import verify` command. */
export function addVerifyCommand(command: Command, context: () => CommandContext): void {
  addFileOptions(command.command("verify"))
    // Hides the options of `import`, which don't apply here.
    .configureHelp({
      showGlobalOptions: true,
      visibleGlobalOptions: () => [...(command.parent?.options ?? [])],
    })
    .description("compare where the old and new URL of each row redirect, and list the differences")
    .argument("<file>", "imported file; - for standard input")
    .option("--sample <number>", "check only this many rows, spread over the file", parseInteger)
    .option("--allow-private-hosts", "also check old URLs in private networks and on this machine")
    .action((path: string, options: VerifyOptions) => verifyFile(context(), path, options));
}

async function verifyFile(context: CommandContext, path: string, options: VerifyOptions): Promise<void> {
  const { terminal } = context;
  const file = await readFile(context, path, options);
  const plan = await planFile(context, createApiTarget(openClient(context)), file, "skip");
  const all = listRowsToVerify(plan);
  const rows = options.sample === undefined ? all : pickSample(all, options.sample);
  const bar = openProgressBar(terminal, "Comparing");
  const abort = new AbortController();
  const stopListening = terminal.onInterrupt(() => abort.abort());
  const different: VerifiedRow[] = [];
  let done = 0;
  try {
    await verifyRows(rows, openPlatform(options.allowPrivateHosts === true), {
      signal: abort.signal,
      onResult(row) {
        done++;
        if (row.difference !== null) different.push(row);
        bar.update(done, rows.length);
      },
    });
  } finally {
    bar.clear();
    stopListening();
  }
  different.sort((one, other) => one.line - other.line);
  writeDifferences(context, different, { compared: done, without_address: plan.rows.length - all.length });
  if (abort.signal.aborted && done < rows.length)
    throw new CommandError(`stopped after ${done} of ${formatCount(rows.length, "row")}`, EXIT.interrupted);
  if (different.length > 0)
    throw new CommandError(
      `${different.length} of ${formatCount(done, "row")} ${different.length === 1 ? "differs" : "differ"}`,
      EXIT.conflict,
    );
}

/**
 * Creates the functions that request both URLs of a row. The hosts of old URLs must be public, because these
 * URLs come from a file.
 */
function openPlatform(allowPrivateHosts: boolean) {
  const takeTurn = createPacer(GAP_MS, {
    nowMs: Date.now,
    sleep: (durationMs) => sleep(durationMs, new AbortController().signal),
  });
  const platform: RequestPlatform = { fetch, takeTurn, timeoutMs: TIMEOUT_MS };
  const findProblem = allowPrivateHosts ? () => null : findHostProblem;
  return {
    requestFormer: (url: string) => requestUrl(url, platform, { mayUseGet: true, findProblem }),
    // The new URL comes from the service itself, which supports HEAD.
    requestCurrent: (url: string) => requestUrl(url, platform, { mayUseGet: false, findProblem: () => null }),
  };
}

function writeDifferences(
  context: CommandContext,
  different: readonly VerifiedRow[],
  counts: { compared: number; without_address: number },
): void {
  if (context.isJson) {
    const rows = different.map(({ line, formerUrl, shortUrl, former, current, difference }) => ({
      line,
      former_url: formerUrl,
      short_url: shortUrl,
      former,
      current,
      difference,
    }));
    writeResult(context, { ...counts, different: rows.length, rows }, "");
    return;
  }
  writeList(context, different, COLUMNS);
  const { compared, without_address: skipped } = counts;
  const without = skipped > 0 ? `, without an old URL: ${skipped}` : "";
  context.terminal.note(`rows compared: ${compared}, different: ${different.length}${without}\n`);
}
