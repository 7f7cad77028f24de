#!/usr/bin/env node
import packageFile from "../package.json" with { type: "json" };
import { runCommand } from "./program.ts";
import { openTerminal } from "./terminal.ts";

/** Entry point of the `signpost` command. */

// Programs such as `head` close the pipe once they have read enough. This isn't an error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  process.exit(error.code === "EPIPE" ? 0 : 1);
});
process.exitCode = await runCommand(
  process.argv.slice(2),
  openTerminal(process),
  process.env,
  packageFile.version,
);
