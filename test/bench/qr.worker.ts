import { Resvg } from "@cf-wasm/resvg";
import QRCode from "qrcode";
import QrcodeSvg from "qrcode-svg";
import { renderSVG } from "uqr";
import { resolveDesign } from "../../src/qr/design.ts";
import type { Level } from "../../src/qr/matrix.ts";
import { renderPng } from "../../src/qr/png.ts";
import { renderSvg } from "../../src/qr/svg.ts";
import { buildSymbol } from "../../src/qr/symbol.ts";

/** Worker of the QR benchmark. It renders the same QR code with each of the compared libraries. */

type Render = (content: string, level: Level, size: number) => unknown;

const PLAIN = resolveDesign({});

const renderQrcodeSvg = (content: string, level: Level, size: number) =>
  new QrcodeSvg({ content, ecl: level, padding: 1, width: 35 * size, height: 35 * size, join: true }).svg();

/**
 * Renders with uqr and resvg. The SVG from uqr has no size, so resvg scales it to the wanted pixels per
 * module.
 */
async function renderUqrPng(content: string, level: Level, size: number) {
  const svg = renderSVG(content, { ecc: level, border: 1 });
  return (await Resvg.async(svg, { fitTo: { mode: "zoom", value: size / 10 } })).render().asPng();
}

async function renderQrcodeSvgPng(content: string, level: Level, size: number) {
  const modules = buildSymbol(content, level, null).matrix.side + 2;
  const svg = new QrcodeSvg({
    content,
    ecl: level,
    padding: 1,
    width: modules * size,
    height: modules * size,
  }).svg();
  return (await Resvg.async(svg)).render().asPng();
}

const RENDERS: Record<string, Render> = {
  "svg signpost": (content, level, size) => renderSvg(buildSymbol(content, level, null), PLAIN, size, null),
  "svg qrcode": (content, level) =>
    QRCode.toString(content, { type: "svg", errorCorrectionLevel: level, margin: 1 }),
  "svg uqr": (content, level) => renderSVG(content, { ecc: level, border: 1 }),
  "svg qrcode-svg": renderQrcodeSvg,
  "png signpost": (content, level, size) => renderPng(buildSymbol(content, level, null), PLAIN, size, null),
  "png signpost rounded": (content, level, size) =>
    renderPng(buildSymbol(content, level, null), { ...PLAIN, dotStyle: "rounded" }, size, null),
  "png qrcode": (content, level, size) =>
    QRCode.toBuffer(content, { type: "png", errorCorrectionLevel: level, margin: 1, scale: size }),
  "png uqr + resvg": renderUqrPng,
  "png qrcode-svg + resvg": renderQrcodeSvgPng,
};

export default {
  async fetch(request: Request): Promise<Response> {
    const { searchParams } = new URL(request.url);
    const render = RENDERS[searchParams.get("render") ?? ""];
    if (render === undefined) return Response.json(Object.keys(RENDERS));
    const content = await request.text();
    const level = searchParams.get("level") as Level;
    const size = Number(searchParams.get("size"));
    let result: unknown;
    for (let runs = Number(searchParams.get("runs")); runs > 0; runs--) {
      result = await render(content, level, size);
    }
    return Response.json({ bytes: (result as string | Uint8Array).length });
  },
};
