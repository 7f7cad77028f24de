// Pure: no I/O, clock or randomness.
import type { AudienceName } from "./demo-visitors.ts";

/** Bio pages of the demo workspace. */

/** Functions that return the URL of a published file by its name, and of a link by its short code. */
export interface PageUrls {
  file(name: string): string;
  link(code: string): string;
}

/** Bio page and its visits. */
export interface DemoPage {
  title: string;
  slug: string;
  description: string;
  age: number;
  audience: AudienceName;
  /** Views on an average day. */
  daily: number;
  peak?: { age: number; visits: number };
  /** Clicks on each link of the page as a fraction of the page's views, in the order of the links. */
  clicks: readonly number[];
  data: (urls: PageUrls) => object;
}

/** Bio pages of the workspace. */
export const DEMO_PAGES: readonly DemoPage[] = [
  {
    title: "Northlight Coffee",
    slug: "northlight",
    description: "Small roastery, two cafés, and beans by post. Hamburg and Berlin.",
    ...({ age: 28, audience: "social", daily: 27, peak: { age: 9, visits: 84 } } as const),
    clicks: [0.31, 0.17, 0, 0.12, 0.09, 0.05],
    data: ({ file, link }) => ({
      theme: "paper",
      avatar_url: file("logo.png"),
      avatar_alt: "A cup under the northern light",
      style: { accent: "#14433b" },
      links: [
        { label: "House blend is here", url: link("blend"), highlight: true },
        { label: "Order beans", url: link("beans") },
        { label: "Visit us", type: "heading" },
        { label: "Café in Hamburg", url: link("hamburg") },
        { label: "Café in Berlin", url: link("berlin") },
        { label: "Contact us", url: "mailto:hello@example.com" },
      ],
      socials: [
        { network: "instagram", url: "https://instagram.com/example" },
        { network: "mastodon", url: "https://mastodon.social/@example" },
        { network: "youtube", url: "https://youtube.com/@example" },
      ],
      seo: {
        title: "Northlight Coffee, roasted in Hamburg",
        description: "Cafés, beans by post, and courses for people who like coffee.",
        image_url: file("cover.png"),
      },
    }),
  },
  {
    title: "Barista course",
    slug: "northlight-course",
    description: "Three evenings at the machine. Small groups, no experience needed.",
    ...({ age: 26, audience: "web", daily: 8 } as const),
    clicks: [0.28, 0.14, 0.08],
    data: ({ file, link }) => ({
      theme: "sunrise",
      avatar_url: file("logo.png"),
      avatar_alt: "A cup under the northern light",
      links: [
        { label: "Book a seat", url: link("barista"), highlight: true },
        { label: "What you will learn", url: link("espresso") },
        { label: "Give it as a gift", url: link("gift") },
      ],
      socials: [{ network: "instagram", url: "https://instagram.com/example" }],
    }),
  },
];
