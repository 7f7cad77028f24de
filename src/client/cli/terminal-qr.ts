import encodeQR from "qr";

/** Light modules around a symbol (quiet zone of ISO/IEC 18004). */
const QUIET_ZONE = 4;

/**
 * Draws a text's QR code with half blocks, two rows of modules per line. Draws the light modules in white on
 * a black background, so that the code is dark on light in every terminal theme.
 */
export function drawForTerminal(text: string): string {
  const modules = encodeQR(text, "raw", { ecc: "medium", border: QUIET_ZONE });
  const lines: string[] = [];
  for (let y = 0; y < modules.length; y += 2) {
    const upper = modules[y] ?? [];
    const lower = modules[y + 1] ?? [];
    const characters = upper.map((isDark, x) => selectBlock(!isDark, !(lower[x] ?? false)));
    lines.push(`\u001b[97;40m${characters.join("")}\u001b[0m\n`);
  }
  return lines.join("");
}

function selectBlock(isUpperLight: boolean, isLowerLight: boolean): string {
  if (isUpperLight) return isLowerLight ? "█" : "▀";
  return isLowerLight ? "▄" : " ";
}
