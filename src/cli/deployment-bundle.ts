import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CommandError } from "./command-error.ts";
import type { RunWrangler } from "./deployment-account.ts";
import { extractErrorMessage } from "./wrangler.ts";

/** Length of tags. Cloudflare accepts up to 25 characters. */
const TAG_LENGTH = 24;
/** Files that differ between identical builds. The Worker doesn't run them. */
const VARYING = /\.map$|^README\.md$/;

/**
 * Bundles the Worker as `wrangler deploy` does, and returns a hash of the code, `declarations` and
 * wrangler's version. Throws {@link CommandError} if bundling fails.
 */
export async function computeVersionTag(
  run: RunWrangler,
  environment: string,
  declarations: string,
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "signpost-bundle-"));
  try {
    const result = await run(["deploy", "--dry-run", "--outdir", folder, "--env", environment]);
    if (!result.ok) throw new CommandError(`the Worker cannot be bundled: ${extractErrorMessage(result)}`);
    const { version } = createRequire(import.meta.url)("wrangler/package.json");
    const hash = createHash("sha256").update(`${version}\n${declarations}\n`);
    for (const name of readdirSync(folder).sort()) {
      if (!VARYING.test(name)) hash.update(`${name}\n`).update(readFileSync(join(folder, name)));
    }
    return hash.digest("hex").slice(0, TAG_LENGTH);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
