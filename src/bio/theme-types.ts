// Pure: no I/O, clock or randomness.

/** Button styles that the owner of a page can choose instead of the theme's style. */
export const BUTTONS = ["solid", "outline", "soft"] as const;
/** Corner radii of links that the owner of a page can choose. */
export const RADII = ["none", "md", "full"] as const;

/** Owner's settings that override the theme. Colours are `#RGB` or `#RRGGBB`. */
export interface PageStyle {
  accent?: string | undefined;
  background?: string | undefined;
  text?: string | undefined;
  button?: (typeof BUTTONS)[number] | undefined;
  radius?: (typeof RADII)[number] | undefined;
}

/** Colours of a theme for visitors who prefer light, or for visitors who prefer dark. */
export interface Scheme {
  isDark: boolean;
  /** Backgrounds that text can be on. The first is the page's background colour. A gradient adds more. */
  grounds: readonly [string, ...string[]];
  text: string;
  accent: string;
  /** Background of links. Default: a shade of the page's background. */
  surface?: string;
  line?: string;
  muted?: string;
  /** Additional CSS variables. Left out if the owner sets a background. */
  extra?: Readonly<Record<`--${string}`, string>>;
}

/** Design of a page. Its CSS uses the colour variables that `style-sheet.ts` sets for each {@link Scheme}. */
export interface Theme {
  /** One or two schemes. A theme with one scheme looks the same to every visitor. */
  schemes: readonly [Scheme, ...Scheme[]];
  /** `font-family` list of fonts installed on common systems, preferred first. */
  font: string;
  /** `border-radius` of links. */
  radius: string;
  /** CSS rules for everything except links. */
  css: string;
  /** CSS rules for links, used if the owner chose no button style. */
  links: string;
}
