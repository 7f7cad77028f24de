/** Icons, drawn for this dashboard on a 20 × 20 grid with a line width of 1.6. */
const PATHS = {
  alert: "M10 3 18 17H2L10 3Zm0 5.5v3.5m0 2.4v.1",
  archive: "M3 4h14v3.5H3V4Zm1.2 3.5V16h11.6V7.5M8 11h4",
  bolt: "M11 2.5 4 11.5h5.5l-.5 6 7-9.5h-5.5l.5-5.5Z",
  chart: "M3 3v14h14M6.5 13.5v-3m4 3v-7m4 7V9",
  check: "m4 10.5 4 4 8-9",
  chevron: "m5.5 8 4.5 4.5L14.5 8",
  clock: "M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15ZM10 6v4.2l2.8 1.8",
  close: "m5 5 10 10M15 5 5 15",
  code: "m7 5.5-4 4.5 4 4.5m6-9 4 4.5-4 4.5",
  copy: "M7 7h9.5v9.5H7V7Zm-3 6H3.5V3.5H13V4",
  download: "M10 3v10m-4-4 4 4 4-4M3.5 16.5h13",
  edit: "m12.5 4.5 3 3L7 16l-3.7.7L4 13l8.5-8.5Z",
  external: "M11.5 3.5h5v5M16 4l-7 7M8 4.5H4v11.5h11.5v-4",
  file: "M5 2.5h6.5L15.5 7v10.5H5v-15Zm6.5 0V7h4",
  globe:
    "M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15ZM2.5 10h15M10 2.5c-4 4.5-4 10.5 0 15m0-15c4 4.5 4 10.5 0 15",
  grid: "M3 3h6v6H3V3Zm8 0h6v6h-6V3ZM3 11h6v6H3v-6Zm8 0h6v6h-6v-6Z",
  grip: "M7.5 5h.1m4.9 0h.1M7.5 10h.1m4.9 0h.1M7.5 15h.1m4.9 0h.1",
  home: "M3 9.2 10 3l7 6.2V17h-4.7v-4.5H7.7V17H3V9.2Z",
  image: "M3 4h14v12H3V4Zm0 9.5 4-4 4 4 2.5-2.5L17 14.5M12.5 7.5h.1",
  info: "M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15ZM10 9v5m0-7.6v.1",
  key: "M12.5 11.5A4 4 0 1 0 9 9.4L3 15.5V17h2.6v-2H8v-2h1.6l1.3-1.8M13.2 7h.1",
  keyboard: "M2 5h16v10H2V5Zm3 3h.1M8.3 8h.1m3.2 0h.1M15 8h.1M6 12h8",
  link: "M8.5 11.5a3.5 3.5 0 0 0 5 0l2.7-2.7a3.5 3.5 0 0 0-5-5L10 5m1.5 3.5a3.5 3.5 0 0 0-5 0l-2.7 2.7a3.5 3.5 0 0 0 5 5L10 15",
  lock: "M4.5 9h11v8h-11V9ZM7 9V6.5a3 3 0 0 1 6 0V9",
  menu: "M3 6h14M3 10h14M3 14h14",
  monitor: "M2.5 4h15v10h-15V4ZM7 17h6m-3-3v3",
  moon: "M16.5 11.8A7 7 0 0 1 8.2 3.5a7 7 0 1 0 8.3 8.3Z",
  more: "M5 10h.1m4.85 0h.1m4.85 0h.1",
  page: "M5 2.5h10v15H5v-15ZM8 9h4M8 12h4m-2-6.4v.1",
  pause: "M7 5v10m6-10v10",
  person: "M10 10.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM3.5 17c.6-3 3.2-4.5 6.5-4.5s5.9 1.5 6.5 4.5",
  phone: "M6 2h8v16H6V2Zm3 13.4h2",
  play: "M6 4.5 15.5 10 6 15.5v-11Z",
  plus: "M10 4v12M4 10h12",
  print: "M6 7V3h8v4M6 14H3V7h14v7h-3M6 12h8v5H6v-5Z",
  qr: "M3 3h5.5v5.5H3V3Zm8.5 0H17v5.5h-5.5V3ZM3 11.5h5.5V17H3v-5.5Zm8.5 0v2.5m0 3H14m3-5.5V17m-3-5.5h.1",
  redo: "m13 4 4 4-4 4m3.5-4H8a4.5 4.5 0 0 0 0 9h4",
  refresh: "M16.5 10a6.5 6.5 0 1 1-2-4.7L16.5 7M16.5 3v4h-4",
  rows: "M3 4.5h14M3 10h14M3 15.5h14",
  search: "M9 15A6 6 0 1 0 9 3a6 6 0 0 0 0 12Zm4.3-1.7L17 17",
  send: "M17 3 8.7 11.3M17 3l-5 14-3.3-5.7L3 8l14-5Z",
  settings: "M3 6h7m4 0h3M3 14h3m4 0h7M12 4v4M8 12v4",
  shapes: "M3 3h6v6H3V3Zm8 0h6v6h-6V3ZM3 11h6v6H3v-6Zm11 0 3.2 6h-6.4L14 11Z",
  sort: "m6 12.5 4 4 4-4M10 16V3.5",
  "sign-out": "M8 3.5H4v13h4M8.5 10H17m-3.5-3.5L17 10l-3.5 3.5",
  sun: "M10 13.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM10 1.8v1.4m0 13.6v1.4m8.2-8.2h-1.4M3.2 10H1.8m14-5.8-1 1M5.2 14.8l-1 1m11.6 0-1-1M5.2 5.2l-1-1",
  swap: "M3 7h13m-3-3 3 3-3 3M17 13H4m3 3-3-3 3-3",
  table: "M3 4h14v12H3V4Zm0 4h14M3 12h14M8.5 8v8",
  tag: "M3 3h6.5l7.5 7.5-6.5 6.5L3 9.5V3Zm3.6 3.6h.1",
  terminal: "M2.5 4h15v12h-15V4ZM6 8l2.5 2L6 12m4.5.5h3",
  trash: "M3.5 5.5h13M8 5.5V3h4v2.5m-7 0 .8 11.5h8.4L15 5.5M8.3 9v5m3.4-5v5",
  undo: "M7 4 3 8l4 4M3.5 8H12a4.5 4.5 0 0 1 0 9H8",
  upload: "M10 13V3m-4 4 4-4 4 4M3.5 16.5h13",
} as const;

export type IconName = keyof typeof PATHS;

/** Names of all icons, for the components page. */
export const ICON_NAMES = Object.keys(PATHS) as IconName[];

/** Icon next to text, or in a control with an accessible name. Hidden from screen readers. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      stroke-width={name === "more" || name === "grip" ? 2.4 : 1.6}
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
