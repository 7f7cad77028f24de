// Pure: no I/O, clock or randomness.

export const FRAME_STYLES = ["text", "label-below", "label-above", "border", "balloon"] as const;
export type FrameStyle = (typeof FRAME_STYLES)[number];

export const FRAME_TEXT_MAX_LENGTH = 30;
export const FRAME_TEXT_DEFAULT = "Scan me";

/** Frame as stored in a design. */
export interface FrameInput {
  style: FrameStyle;
  text?: string | undefined;
  color?: string | undefined;
}

/** Frame with a value for every member. */
export interface Frame {
  style: FrameStyle;
  text: string;
  /** `#rrggbb` */
  color: string;
}

/** Minimum quiet zone inside a frame (ISO/IEC 18004 section 6.3.8). */
export const FRAMED_QUIET_ZONE_MIN = 4;
