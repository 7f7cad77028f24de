import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { createTempFolder, findFreePort, type RunningService, startService } from "../e2e/support/service.ts";
import { hasChromium, launchChromium } from "../support/chromium.ts";
import { PICTURES, type Picture } from "./pictures.ts";

/**
 * Entry point of `npm run pictures`, which takes the README's screenshots of the dashboard with the sample
 * data.
 */

const FOLDER = join(import.meta.dirname, "../../.github/images");
/** Maximum file size of a screenshot. The quality is reduced until it fits. */
const PICTURE_MAX_BYTES = 150_000;
const QUALITIES = [90, 80, 70, 60, 50, 40];
/** Device pixels per CSS pixel, so that text is sharp on high-density screens. */
const SCALE = 2;
const PATIENCE_MS = 30_000;
const POLL_MS = 50;
const BUSY = "main [aria-busy=true]";

/** Takes the screenshots with the given names, or all of them. */
async function main(names: readonly string[]): Promise<void> {
  const wanted = PICTURES.filter(({ name }) => names.length === 0 || names.includes(name));
  const unknown = names.filter((name) => !PICTURES.some((picture) => picture.name === name));
  if (unknown.length > 0) {
    throw new Error(
      `no picture ${unknown.join(", ")}; there are ${PICTURES.map(({ name }) => name).join(", ")}`,
    );
  }
  if (!hasChromium("the pictures")) process.exit(1);
  mkdirSync(FOLDER, { recursive: true });
  const stateFolder = createTempFolder();
  const service = await startService(stateFolder, await findFreePort(), []);
  try {
    await takePictures(service, wanted);
  } finally {
    await service.stop();
    rmSync(stateFolder, { recursive: true, force: true });
  }
}

async function takePictures(service: RunningService, wanted: readonly Picture[]): Promise<void> {
  const browser = await launchChromium();
  try {
    const { data: assets } = await service.client.GET("/v1/assets");
    const logo = assets?.data.find(({ filename }) => filename === "logo.png")?.public_url ?? "";
    const session = await signIn(await browser.newContext(), service);
    for (const { name, path, theme, viewport, prepare } of wanted) {
      const [width, height] = viewport;
      const context = await browser.newContext({
        viewport: { width, height },
        deviceScaleFactor: SCALE,
        colorScheme: theme,
        reducedMotion: "reduce",
        storageState: session,
      });
      const page = await context.newPage();
      const address = path.replace("{logo}", encodeURIComponent(logo));
      await page.goto(`http://app.localhost:${service.port}${address}`);
      await waitUntilQuiet(page);
      await prepare?.(page);
      await waitUntilQuiet(page);
      const { picture, quality } = await capture(page);
      writeFileSync(join(FOLDER, `${name}.webp`), picture);
      console.log(`${name}.webp  ${width} × ${height}  ${picture.byteLength} bytes (quality ${quality})`);
      await context.close();
    }
  } finally {
    await browser.close();
  }
}

/** Signs in with the link that the service printed at its start, and returns the session. */
async function signIn(context: BrowserContext, { signInLink }: RunningService) {
  const page = await context.newPage();
  await page.goto(signInLink);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.locator("main h1").waitFor();
  return context.storageState();
}

/** Waits until the page shows its data and all animations have finished. */
async function waitUntilQuiet(page: Page): Promise<void> {
  await page.locator("main h1").waitFor();
  await page.waitForLoadState("networkidle");
  await waitUntil(page, `document.querySelector("${BUSY}") === null`);
  await page.evaluate("document.fonts.ready");
  await waitUntil(page, "document.getAnimations().every(({ playState }) => playState === 'finished')");
}

/**
 * Waits until a condition is true. The condition is text, because this project has no browser types, and is checked from
 * here, because the page's policy doesn't allow it to evaluate text.
 */
async function waitUntil(page: Page, condition: string): Promise<void> {
  const endMs = Date.now() + PATIENCE_MS;
  while (!(await page.evaluate(condition))) {
    if (Date.now() > endMs) throw new Error(`timeout while waiting for ${condition}`);
    await page.waitForTimeout(POLL_MS);
  }
}

/** Takes a screenshot as WebP, in the best quality that fits. Playwright itself only writes PNG and JPEG. */
async function capture(page: Page): Promise<{ picture: Buffer; quality: number }> {
  const session = await page.context().newCDPSession(page);
  for (const quality of QUALITIES) {
    const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality });
    const picture = Buffer.from(data, "base64");
    if (picture.byteLength < PICTURE_MAX_BYTES) return { picture, quality };
  }
  throw new Error(`a picture has ${PICTURE_MAX_BYTES} bytes or more also in the lowest quality`);
}

await main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
