import type { DesignInput } from "../../../qr/design.ts";
import { formatCompactUrl } from "../../../routing/compact-code.ts";
import { CallError } from "../../data/call-error.ts";
import { readLogo } from "./code-image.ts";
import { drawDesign } from "./draw-design.ts";
import { readTemplate } from "./template-store.ts";

/** Draws the code of a link in the design of its template, or in the default design if the template is deleted. */
export async function drawTemplate(
  url: string,
  shortCode: string,
  templateId: string,
): Promise<{ svg: string; isCompact: boolean }> {
  const design = await readDesign(templateId);
  const isCompact = design.compact ?? true;
  const logo = design.logo_url === undefined ? null : await readLogo(design.logo_url).catch(() => null);
  const drawing = drawDesign(isCompact ? formatCompactUrl(url, shortCode) : url, design, logo);
  return { svg: drawing.svg ?? "", isCompact };
}

async function readDesign(templateId: string): Promise<DesignInput> {
  try {
    return (await readTemplate(templateId)).design as DesignInput;
  } catch (thrown) {
    if (thrown instanceof CallError && thrown.kind === "missing") return {};
    throw thrown;
  }
}
