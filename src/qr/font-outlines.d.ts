/** Declares the outlines of the font, which `cli/font.ts` writes before the dashboard and the command are bundled. */
declare module "*/dist/font/outlines.js" {
  export const FONT_OUTLINES: string;
}
