/** How links look, where the owner of a page does not leave it to the theme. */
export const BUTTONS = ["solid", "outline", "soft"] as const;
/** How round their corners are. */
export const RADII = ["none", "md", "full"] as const;

/** What the owner of a page chose over its theme. Colours are `#RGB` or `#RRGGBB`. */
export interface PageStyle {
  accent?: string | undefined;
  background?: string | undefined;
  text?: string | undefined;
  button?: (typeof BUTTONS)[number] | undefined;
  radius?: (typeof RADII)[number] | undefined;
}

/** The colours of a theme for visitors who prefer light, or for those who prefer dark. */
export interface Scheme {
  isDark: boolean;
  /** What text may come to stand on; the first is the page's own background. More than one where it is a gradient. */
  grounds: readonly [string, ...string[]];
  text: string;
  accent: string;
  /** What links stand on; a shade of the background where absent. */
  surface?: string;
  line?: string;
  muted?: string;
  /** Further CSS variables, which hold only while the page keeps the theme's background. */
  extra?: Readonly<Record<`--${string}`, string>>;
}

/** A design of a page. It takes its colours from the variables that `style.ts` makes of a {@link Scheme}. */
export interface Theme {
  /** One or two: a theme with one looks the same to every visitor. */
  schemes: readonly [Scheme, ...Scheme[]];
  /** Fonts that systems bring along, best first. */
  font: string;
  /** Radius of links. */
  radius: string;
  /** Everything but the links. */
  css: string;
  /** The links, where the owner chose no button. */
  links: string;
}
