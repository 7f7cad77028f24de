// Pure: no I/O, clock or randomness.

/** SVG path of the Signpost logo, a post with two boards, in a 24 × 24 view box. */
export const SIGNPOST_MARK = "M11 1h2v2h5.5l3.5 3-3.5 3H13v2h7v6h-7v6h-2v-6H5.5L2 14l3.5-3H11V9H4V3h7V1Z";

/** SVG paths of the error page's illustration, in a 240 × 190 view box. */
export const SIGNPOST_SCENE: readonly { path: string; part: string }[] = [
  { part: "ground", path: "M18 176c34-9 62-9 96-4s72 6 108-2M44 187h22M170 186h34" },
  { part: "post", path: "M114 22a6 6 0 0 1 12 0v150h-12Z" },
  { part: "board", path: "M66 36h104l24 19-24 19H66a5 5 0 0 1-5-5V41a5 5 0 0 1 5-5Z" },
  { part: "mark", path: "M82 55h62" },
  { part: "blank", path: "M162 96 70 121l-17 25 27 14 92-25a4 4 0 0 0 3-5l-8-31a4 4 0 0 0-5-3Z" },
];
