import type { Page } from "playwright-core";

/** Screenshot of the dashboard. */
export interface Picture {
  /** File name in `.github/images`, without the extension. */
  name: string;
  /** Path of the screen. `{logo}` is replaced by the URL of the sample logo. */
  path: string;
  theme: "light" | "dark";
  viewport: readonly [width: number, height: number];
  /** Called after the page has loaded, for anything that the URL can't express. */
  prepare?: (page: Page) => Promise<void>;
}

/** Screenshots used in the README. */
export const PICTURES: readonly Picture[] = [
  {
    name: "dashboard-light",
    path: "/overview",
    theme: "light",
    viewport: [1_280, 800],
    // Dismisses the offer of a passkey.
    prepare: (page) => page.getByRole("button", { name: "Not now" }).click(),
  },
  { name: "dashboard-dark", path: "/analytics", theme: "dark", viewport: [1_280, 800] },
  { name: "dashboard-phone", path: "/links", theme: "light", viewport: [390, 800] },
  {
    name: "dashboard-qr",
    path: "/qr?design=f14433b_bfbf7ec_eH_drounded_kextra-rounded_z0.22_q4_l{logo}",
    theme: "light",
    viewport: [1_280, 800],
  },
];
