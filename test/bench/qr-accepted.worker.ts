import type { DesignInput } from "../../src/qr/design.ts";
import { resolveDesign } from "../../src/qr/design.ts";
import type { ImageInput } from "../../src/qr/image-size.ts";
import { renderQrCode } from "../../src/qr/render.ts";
import type { Tenant } from "../../src/tenant/tenant.ts";

/**
 * Worker of the QR benchmark that renders codes as a real request would. The logo comes from a bucket with a
 * single file. The cache is always empty, so each render decodes the logo.
 */

/** Render request, sent in a header. The request body is the logo. */
export interface AcceptedRender {
  content: string;
  design: DesignInput;
  input: ImageInput;
  /** Number of times to render the code. */
  runs: number;
}

const emptyCache = { match: async () => undefined, put: async () => {} };
Object.defineProperty(globalThis, "caches", { value: { default: emptyCache } });

const tenant = {
  settings: {
    apiUrl: "https://api.example.com",
    cdnHost: "cdn.example.com",
    shortPort: "",
    allowLoopback: false,
  },
} as unknown as Tenant;

export default {
  async fetch(request: Request): Promise<Response> {
    const render = request.headers.get("X-Render");
    if (render === null) return new Response("ready");
    const { content, design, input, runs }: AcceptedRender = JSON.parse(render);
    const logo = new Uint8Array(await request.arrayBuffer());
    const file = { get: async () => new Response(logo), head: async () => ({}) } as unknown as R2Bucket;
    let bytes = 0;
    for (let run = 0; run < runs; run++) {
      const { image } = await renderQrCode(tenant, file, content, resolveDesign(design), input);
      bytes = image.length;
    }
    return Response.json({ bytes });
  },
};
