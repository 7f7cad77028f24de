// Pure: no I/O, clock or randomness.
import type { PageStyle } from "./theme-types.ts";

/**
 * Defines the parts of a bio page that its HTML shows. The service reads these parts from the database. The
 * dashboard's preview reads them from a form.
 */

/** Link or heading on a page. Times are ISO 8601. */
export interface ContentLink {
  label: string;
  url?: string | undefined;
  type?: "link" | "heading" | undefined;
  highlight?: boolean | undefined;
  enabled?: boolean | undefined;
  starts_at?: string | undefined;
  ends_at?: string | undefined;
}

/** Content of a page: the known fields of `page_data`. */
export interface PageContent {
  theme?: string | undefined;
  /** BCP 47 language tag. */
  lang?: string | undefined;
  avatar_url?: string | undefined;
  avatar_alt?: string | undefined;
  style?: PageStyle | undefined;
  links?: readonly ContentLink[] | undefined;
  socials?: readonly { network: string; url: string }[] | undefined;
  seo?:
    | {
        title?: string | undefined;
        description?: string | undefined;
        image_url?: string | undefined;
        noindex?: boolean | undefined;
      }
    | undefined;
}

/** Page as passed to the renderer. */
export interface RenderedPage {
  slug: string;
  title: string;
  description: string;
  pageData: PageContent;
  /** True if the plan removes the "Made with Signpost" footer. */
  isAdFree: boolean;
}

/** Builds the public URL of a page. */
export function buildPageUrl({ bioUrl }: { bioUrl: string }, slug: string): string {
  return `${bioUrl}/${slug}`;
}
