import type { Page } from "playwright-core";

/** Picture of the dashboard. */
export interface Picture {
  /** Name of its file in `.github/images`. */
  name: string;
  /** Screen, as the address has it. `{logo}` stands for the address of the sample logo. */
  path: string;
  theme: "light" | "dark";
  viewport: readonly [width: number, height: number];
  /** Does what the address cannot say. */
  prepare?: (page: Page) => Promise<void>;
}

/** Pictures that the README shows. */
export const PICTURES: readonly Picture[] = [
  { name: "dashboard-light", path: "/overview", theme: "light", viewport: [1_280, 800] },
  { name: "dashboard-dark", path: "/analytics", theme: "dark", viewport: [1_280, 800] },
  { name: "dashboard-phone", path: "/links", theme: "light", viewport: [390, 800] },
  {
    name: "dashboard-qr",
    path: "/qr?design=f14433b_bfbf7ec_eH_drounded_kextra-rounded_z0.22_q4_l{logo}",
    theme: "light",
    viewport: [1_280, 800],
  },
];
