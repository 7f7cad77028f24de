// Pure: no I/O, clock or randomness.
import type { DesignInput } from "../../../qr/design.ts";

/** Predefined designs that the user applies with one click. */

/** Fields that a look sets. Logo and error correction are kept. */
export type LookDesign = Omit<DesignInput, "logo_url" | "logo_size" | "error_correction">;

export interface Look {
  name: string;
  design: LookDesign;
}

/** Design of a new code: the margin of 4 modules that the standard requires, otherwise defaults. */
export const START_DESIGN: DesignInput = { quiet_zone: 4 };

/** All looks. Each has a contrast ratio of at least 4.5, so that every scanner reads it. */
export const LOOKS: readonly Look[] = [
  { name: "Classic", design: { quiet_zone: 4 } },
  {
    name: "Ink",
    design: {
      foreground_color: "#1a1c21",
      background_color: "#f6f6f3",
      dot_style: "rounded",
      corner_style: "rounded",
      quiet_zone: 4,
    },
  },
  {
    name: "Harbour",
    design: {
      foreground_color: "#17324d",
      background_color: "#eef4f8",
      corner_color: "#0a5f8a",
      dot_style: "classy-rounded",
      corner_style: "extra-rounded",
      quiet_zone: 4,
    },
  },
  {
    name: "Forest",
    design: {
      foreground_color: "#0b4a3c",
      background_color: "#f2f7ef",
      dot_style: "extra-rounded",
      corner_style: "extra-rounded",
      quiet_zone: 4,
    },
  },
  {
    name: "Confetti",
    design: {
      foreground_color: "#3346d3",
      background_color: "#ffffff",
      corner_color: "#2b2f77",
      dot_style: "dots",
      corner_style: "dot",
      quiet_zone: 4,
    },
  },
  {
    name: "Berry",
    design: {
      foreground_color: "#6b1a43",
      background_color: "#fdf3f6",
      corner_color: "#8e1f4f",
      dot_style: "rounded",
      corner_style: "dot",
      quiet_zone: 4,
    },
  },
  {
    name: "Terracotta",
    design: {
      foreground_color: "#7a3116",
      background_color: "#fbf3ea",
      dot_style: "classy",
      corner_style: "rounded",
      quiet_zone: 4,
    },
  },
  {
    name: "Blueprint",
    design: {
      foreground_color: "#122b6b",
      background_color: "#e9efff",
      corner_color: "#1f3fa8",
      dot_style: "square",
      corner_style: "extra-rounded",
      quiet_zone: 4,
    },
  },
];

/** Applies a look to a design. Its logo, error correction and frame are kept. */
export function applyLook(
  { logo_url, logo_size, error_correction, frame }: DesignInput,
  { design }: Look,
): DesignInput {
  return {
    ...design,
    ...(logo_url !== undefined && { logo_url }),
    ...(logo_size !== undefined && { logo_size }),
    ...(error_correction !== undefined && { error_correction }),
    ...(frame !== undefined && { frame }),
  };
}
