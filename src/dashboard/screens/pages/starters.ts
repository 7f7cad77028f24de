// Pure: no I/O, clock or randomness.
import type { PageContent } from "../../../bio/page-content.ts";

/** Templates for new bio pages. Each is a complete example in which only the URLs need to be replaced. */

/** Template for a new page. */
export interface Starter {
  name: string;
  /** Kind of page, as shown in the choice. */
  label: string;
  title: string;
  description: string;
  page_data: PageContent;
}

/** Placeholder URL. */
const EXAMPLE = "https://example.com";

/** All starters. The last is the blank page. */
export const STARTERS: readonly [Starter, ...Starter[]] = [
  {
    name: "creator",
    label: "Creator",
    title: "Mara Lindqvist",
    description: "Illustrator in Malmö. Books, prints and slow mornings.",
    page_data: {
      theme: "paper",
      socials: [
        { network: "instagram", url: "https://www.instagram.com/example" },
        { network: "bluesky", url: "https://bsky.app/profile/example.com" },
        { network: "substack", url: "https://example.substack.com" },
      ],
      links: [
        { label: "My new picture book", url: `${EXAMPLE}/book`, highlight: true },
        { label: "Prints and originals", url: `${EXAMPLE}/shop` },
        { label: "Portfolio", url: `${EXAMPLE}/portfolio` },
        { label: "Work with me", type: "heading" },
        { label: "Commissions, open for spring", url: `${EXAMPLE}/commissions` },
        { label: "Get in touch", url: "mailto:hello@example.com" },
      ],
    },
  },
  {
    name: "musician",
    label: "Musician",
    title: "Night Ferry",
    description: "Four people, two synths, one harbour.\nNew album out now.",
    page_data: {
      theme: "ink",
      socials: [
        { network: "spotify", url: `${EXAMPLE}/spotify` },
        { network: "bandcamp", url: "https://example.bandcamp.com" },
        { network: "youtube", url: "https://www.youtube.com/@example" },
        { network: "instagram", url: "https://www.instagram.com/example" },
      ],
      links: [
        { label: "Listen to “Low Water”", url: `${EXAMPLE}/low-water`, highlight: true },
        { label: "Vinyl and tapes", url: `${EXAMPLE}/shop` },
        { label: "On tour", type: "heading" },
        { label: "Hamburg, Knust", url: `${EXAMPLE}/tickets/hamburg` },
        { label: "Copenhagen, Loppen", url: `${EXAMPLE}/tickets/copenhagen` },
        { label: "Oslo, Blå", url: `${EXAMPLE}/tickets/oslo` },
      ],
    },
  },
  {
    name: "shop",
    label: "Shop",
    title: "Fold & Thread",
    description: "Linen goods, cut and sewn in Porto.",
    page_data: {
      theme: "auto",
      style: { accent: "#0f766e", radius: "md" },
      socials: [
        { network: "instagram", url: "https://www.instagram.com/example" },
        { network: "pinterest", url: "https://www.pinterest.com/example" },
        { network: "etsy", url: `${EXAMPLE}/etsy` },
      ],
      links: [
        { label: "Autumn collection", url: `${EXAMPLE}/autumn`, highlight: true },
        { label: "Best sellers", url: `${EXAMPLE}/best` },
        { label: "Gift cards", url: `${EXAMPLE}/gift-cards` },
        { label: "Help", type: "heading" },
        { label: "Shipping and returns", url: `${EXAMPLE}/shipping` },
        { label: "Track an order", url: `${EXAMPLE}/orders` },
      ],
    },
  },
  {
    name: "cafe",
    label: "Café",
    title: "Café Marlene",
    description: "Coffee, cake and a quiet courtyard.\nOpen daily 8:00–18:00, Sundays from 9:00.",
    page_data: {
      theme: "sunrise",
      socials: [{ network: "instagram", url: "https://www.instagram.com/example" }],
      links: [
        { label: "Today’s menu", url: `${EXAMPLE}/menu`, highlight: true },
        { label: "Reserve a table", url: `${EXAMPLE}/reserve` },
        { label: "Find us", url: `${EXAMPLE}/map` },
        { label: "Call us", url: "tel:+15550100" },
      ],
    },
  },
  {
    name: "developer",
    label: "Developer",
    title: "Tomás Ferreira",
    description: "I build small tools for the web and write about what breaks.",
    page_data: {
      theme: "mono",
      socials: [
        { network: "github", url: "https://github.com/example" },
        { network: "mastodon", url: `${EXAMPLE}/@tomas` },
        { network: "rss", url: `${EXAMPLE}/feed.xml` },
      ],
      links: [
        {
          label: "Latest post: one query, forty seconds",
          url: `${EXAMPLE}/blog/forty-seconds`,
          highlight: true,
        },
        { label: "Projects", type: "heading" },
        { label: "tinycron", url: `${EXAMPLE}/tinycron` },
        { label: "paperfold", url: `${EXAMPLE}/paperfold` },
        { label: "Elsewhere", type: "heading" },
        { label: "Talks", url: `${EXAMPLE}/talks` },
        { label: "Hire me", url: "mailto:hello@example.com" },
      ],
    },
  },
  {
    name: "event",
    label: "Event",
    title: "Open Harbour Days",
    description: "Three days of boats, music and food.\n12 to 14 June, Old Port.",
    page_data: {
      theme: "contrast",
      links: [
        { label: "Tickets", url: `${EXAMPLE}/tickets`, highlight: true },
        { label: "Programme", url: `${EXAMPLE}/programme` },
        { label: "Getting there", url: `${EXAMPLE}/directions` },
        { label: "Become a volunteer", url: `${EXAMPLE}/volunteer` },
        { label: "Press", url: "mailto:press@example.com" },
      ],
    },
  },
  {
    name: "blank",
    label: "Blank page",
    title: "Your name",
    description: "",
    page_data: { theme: "auto" },
  },
];

/** Returns the starter with a name, or the first one if the name is unknown. */
export function findStarter(name: string | null): Starter {
  return STARTERS.find((starter) => starter.name === name) ?? STARTERS[0];
}
