import encodeQR from "qr";

/** Modules of light space around a symbol (ISO/IEC 18004, quiet zone). */
const QUIET_ZONE = 4;

/**
 * Draws the QR code of a text with half blocks, two rows of modules in a line. Light modules are drawn and dark ones are left
 * out, on colours of its own, so that terminals of any theme show dark on light.
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
