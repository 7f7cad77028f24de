import type { ComponentType } from "preact";
import type { RouteParameters } from "./address/route-match.ts";
import type { IconName } from "./components/icon.tsx";
import { SETTINGS_SECTIONS } from "./screens/settings/settings-sections.ts";

/** Screen of the dashboard. Its code is loaded when it is first shown. */
export interface Screen {
  /** Pattern of the path, such as `/links/:link_id`. */
  path: string;
  title: string;
  /** Heading shown while the code is loading. Default: the title. */
  heading?: string;
  /** Imports the screen's component. Screens that share a component share this function. */
  load: () => Promise<{ default: ComponentType<ScreenProps> }>;
  /** Entry in the navigation, if any. The shortcut is `g` followed by `key`. */
  entry?: { icon: IconName; key: string };
}

/** Properties of every screen. */
export interface ScreenProps {
  parameters: RouteParameters;
}

const loadSettings = () => import("./screens/settings/settings-screen.tsx");

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
    path: "/qr",
    title: "QR studio",
    load: () => import("./screens/qr/qr-screen.tsx"),
    entry: { icon: "qr", key: "q" },
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
  {
    path: "/assets",
    title: "Assets",
    load: () => import("./screens/assets/assets-screen.tsx"),
    entry: { icon: "image", key: "f" },
  },
  {
    path: "/analytics",
    title: "Analytics",
    load: () => import("./screens/analytics/analytics-screen.tsx"),
    entry: { icon: "chart", key: "a" },
  },
  {
    path: "/webhooks",
    title: "Webhooks",
    load: () => import("./screens/webhooks/webhooks-screen.tsx"),
    entry: { icon: "bolt", key: "w" },
  },
  {
    path: "/webhooks/:endpoint_id",
    title: "Endpoint",
    load: () => import("./screens/webhooks/endpoint-screen.tsx"),
  },
  {
    path: "/import",
    title: "Import and export",
    load: () => import("./screens/import/import-screen.tsx"),
    entry: { icon: "swap", key: "i" },
  },
  { path: "/settings", title: "Settings", load: loadSettings, entry: { icon: "settings", key: "s" } },
  ...SETTINGS_SECTIONS.map(({ name, title }) => ({
    path: `/settings/${name}`,
    title: `${title} · Settings`,
    heading: "Settings",
    load: loadSettings,
  })),
];

/** Screens that are only available when the service runs locally. */
export const LOCAL_SCREENS: readonly Screen[] = [
  { path: "/components", title: "Components", load: () => import("./screens/gallery/gallery-screen.tsx") },
];

/** Path to which `/` redirects. */
export const START_PATH = "/overview";

/** Returns true for hostnames of this machine. */
export function isLocal(hostname: string): boolean {
  return hostname === "localhost" || hostname.endsWith(".localhost");
}
