import type { ComponentType } from "preact";
import type { RouteParameters } from "./address/route-match.ts";
import type { IconName } from "./components/icon.tsx";

/** Screen of the dashboard. Its code is loaded when it is first shown. */
export interface Screen {
  /** Pattern of its path. */
  path: string;
  title: string;
  load: () => Promise<{ default: ComponentType<ScreenProps> }>;
  /** Entry in the navigation, if it has one. `key` follows `g`. */
  entry?: { icon: IconName; key: string };
}

/** What every screen is given. */
export interface ScreenProps {
  parameters: RouteParameters;
}

/** All screens, in the order of the navigation. */
export const SCREENS: readonly Screen[] = [
  {
    path: "/overview",
    title: "Overview",
    load: () => import("./screens/overview/overview-screen.tsx"),
    entry: { icon: "home", key: "o" },
  },
  {
    path: "/links",
    title: "Links",
    load: () => import("./screens/links/links-screen.tsx"),
    entry: { icon: "link", key: "l" },
  },
  {
    path: "/links/:link_id",
    title: "Link",
    load: () => import("./screens/link-detail/link-screen.tsx"),
  },
  {
    path: "/analytics",
    title: "Analytics",
    load: () => import("./screens/analytics/analytics-screen.tsx"),
    entry: { icon: "chart", key: "a" },
  },
  {
    path: "/qr",
    title: "QR studio",
    load: () => import("./screens/qr/qr-screen.tsx"),
    entry: { icon: "qr", key: "q" },
  },
  {
    path: "/assets",
    title: "Assets",
    load: () => import("./screens/assets/assets-screen.tsx"),
    entry: { icon: "image", key: "f" },
  },
  {
    path: "/pages",
    title: "Bio pages",
    load: () => import("./screens/pages/pages-screen.tsx"),
    entry: { icon: "page", key: "b" },
  },
  {
    path: "/pages/:page_id",
    title: "Bio page",
    load: () => import("./screens/page-editor/page-editor-screen.tsx"),
  },
];

/** Screens that only a local start has. */
export const LOCAL_SCREENS: readonly Screen[] = [
  { path: "/components", title: "Components", load: () => import("./screens/gallery/gallery-screen.tsx") },
];

/** Path that `/` leads to. */
export const START_PATH = "/overview";

/** Returns true where the service runs on this machine. */
export function isLocal(hostname: string): boolean {
  return hostname === "localhost" || hostname.endsWith(".localhost");
}
