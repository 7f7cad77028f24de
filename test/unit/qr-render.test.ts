import { expect, test } from "vitest";
import { resolveDesign } from "../../src/qr/design.ts";
import type { ImageInput } from "../../src/qr/image-size.ts";
import { renderQrCode } from "../../src/qr/render.ts";
import { buildSymbol } from "../../src/qr/symbol.ts";
import type { Tenant } from "../../src/tenant/tenant.ts";

/** Sizes of rendered codes without a logo, which need no tenant or files. */

async function render(input: ImageInput): Promise<string> {
  const { image } = await renderQrCode(
    {} as Tenant,
    {} as R2Bucket,
    "x",
    resolveDesign({ quiet_zone: 4 }),
    input,
  );
  return typeof image === "string" ? image : new TextDecoder("latin1").decode(image);
}

test("a code has 10 pixels per module and a page 40 mm by default", async () => {
  expect(await render({ format: "svg" })).toContain('width="290" height="290"');
  expect(await render({ format: "svg", size: 3 })).toContain('width="87" height="87"');
  expect(await render({ format: "pdf" })).toMatch(/MediaBox \[0 0 113\.\d+ 113\.\d+\]/);
});

test("a module has at least two pixels", async () => {
  await expect(render({ format: "svg", width: 57 })).rejects.toThrow(
    "width: must be at least 58 for this content",
  );
  expect(await render({ format: "svg", width: 58 })).toContain('width="58" height="58"');
});

test("a logo in a PNG covers at most 512 pixels per side", async () => {
  const design = resolveDesign({ quiet_zone: 4, logo_url: "https://cdn.example/logo.png", logo_size: 0.2 });
  const { logoSide, matrix } = buildSymbol("x", design.level, 0.2);
  const size = Math.floor(512 / logoSide);
  // The next lower or higher maximum would allow another size.
  expect([Math.floor(508 / logoSide), Math.floor(516 / logoSide)]).toEqual([size - 1, size + 1]);
  const draw = (input: ImageInput) =>
    renderQrCode({} as Tenant, {} as R2Bucket, "x", design, input).catch(({ message }) => String(message));
  const modules = matrix.side + 8;
  const format = "png";
  expect(await draw({ format, size: size + 1 })).toContain(`size: must be at most ${size} `);
  const widthMax = (size + 1) * modules - 1;
  expect(await draw({ format, width: widthMax + 1 })).toContain(`width: must be at most ${widthMax} `);
  // Without a tenant, accepted requests fail later.
  for (const input of [
    { format, size },
    { format, width: widthMax },
  ] as const)
    expect(await draw(input)).not.toContain("must be");
});
