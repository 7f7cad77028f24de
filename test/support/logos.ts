import jsQR from "jsqr";
import { expect, vi } from "vitest";
import { newWorkspace, type TestWorkspace } from "./harness.ts";
import { readPng } from "./png.ts";

/** QR codes and the logos in them. A test that serves a logo ends with `vi.unstubAllGlobals`. */

export const generateQr = (workspace: TestWorkspace, body: unknown) =>
  workspace.call("POST", "/v1/qr/generate", { body });
export const readPngBody = async (response: Response) =>
  readPng(new Uint8Array(await response.arrayBuffer()));

/** Returns the content of a QR code. */
export async function scanPng(response: Response): Promise<string | undefined> {
  expect(response.status).toBe(200);
  const { data, width, height } = await readPngBody(response);
  return jsQR(data, width, height)?.data;
}

/** Stubs `fetch` with a handler and returns the mock. */
export function serveLogo(handle: (address: string) => Response | Promise<Response>) {
  const serve = vi.fn(async (address: string | URL | Request) => handle(String(address)));
  vi.stubGlobal("fetch", serve);
  return serve;
}

let logoCount = 0;

/** Returns a URL that no test has used, so that its logo is not cached. */
export const nextLogoUrl = () => `https://logos${++logoCount}.example.com/logo`;

/** Generates a PNG of a QR code with a logo. */
export async function generateWithLogo(workspace: TestWorkspace, logo_url: string, rest = {}) {
  return generateQr(workspace, {
    content: "https://example.com/logo",
    format: "png",
    design: { logo_url, logo_size: 0.3, ...rest },
  });
}

/** Counts the pixels that have nearly this color. */
export function countColor(data: Uint8ClampedArray, [red, green, blue]: readonly [number, number, number]) {
  let count = 0;
  for (let i = 0; i < data.length; i += 4) {
    const distance =
      Math.abs((data[i] as number) - red) +
      Math.abs((data[i + 1] as number) - green) +
      Math.abs((data[i + 2] as number) - blue);
    if (distance < 12) count += 1;
  }
  return count;
}

export const decodeBase64 = (text: string) =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

/** Expects a logo of one color to be drawn in a PNG and an SVG. */
export async function expectDrawnLogo(
  base64: string,
  color: readonly [number, number, number],
): Promise<void> {
  const workspace = await newWorkspace();
  serveLogo(() => new Response(decodeBase64(base64)));
  const url = nextLogoUrl();
  const response = await generateWithLogo(workspace, url);
  const copy = response.clone();
  expect(await scanPng(response)).toBe("https://example.com/logo");
  const { data } = await readPngBody(copy);
  expect(countColor(data, color)).toBeGreaterThan(2_000);
  const svg = await (await generateQr(workspace, { content: "x", design: { logo_url: url } })).text();
  expect(svg).toMatch(/href="data:image\/(png|jpeg|gif);base64,/);
}

/** Returns the header of a lossless WebP. */
export const buildWebpHeader = (width: number, height: number) => {
  const bytes = new Uint8Array(64);
  bytes.set(new TextEncoder().encode("RIFF----WEBPVP8L"));
  bytes[20] = 0x2f;
  new DataView(bytes.buffer).setUint32(21, (width - 1) | ((height - 1) << 14), true);
  return bytes;
};
