/** Style sheets of loaded components, each with its position in the cascade. */
const sheets: { position: number; sheet: CSSStyleSheet }[] = [];

/**
 * Applies a component's style sheet, whose rules are part of its script. The position gives rules a fixed order,
 * whichever screen is loaded first. The page's policy blocks inline styles, but allows style sheets of scripts.
 */
export function adoptStyle(position: number, rules: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules);
  sheets.push({ position, sheet });
  sheets.sort((a, b) => a.position - b.position);
  document.adoptedStyleSheets = sheets.map(({ sheet }) => sheet);
}
