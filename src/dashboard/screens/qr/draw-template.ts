import { loadFont } from "../../../qr/font.ts";
import { formatCompactUrl } from "../../../routing/compact-code.ts";
import { readLogo } from "./code-image.ts";
import { drawDesign } from "./draw-design.ts";
import { readTemplateDesign } from "./template-store.ts";

/** Draws the code of a link in the design of its template, or in the default design if the template is deleted. */
export async function drawTemplate(
  url: string,
  shortCode: string,
  templateId: string,
): Promise<{ svg: string; isCompact: boolean }> {
  const design = (await readTemplateDesign(templateId)) ?? {};
  const isCompact = design.compact ?? true;
  const logo = design.logo_url === undefined ? null : await readLogo(design.logo_url).catch(() => null);
  const font = design.frame === undefined ? null : await loadFont();
  const drawing = drawDesign(isCompact ? formatCompactUrl(url, shortCode) : url, design, logo, font);
  return { svg: drawing.svg ?? "", isCompact };
}
