import { expect, test } from "vitest";
import { resolveDesign } from "../../src/qr/design.ts";
import type { ImageInput } from "../../src/qr/image-size.ts";
import { renderQrCode } from "../../src/qr/render.ts";
import type { Tenant } from "../../src/tenant/tenant.ts";

/** Sizes of rendered codes without a logo, which need neither a tenant nor files. */

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

test("a code has 10 pixels for each module, and a page 40 mm, unless asked otherwise", async () => {
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
