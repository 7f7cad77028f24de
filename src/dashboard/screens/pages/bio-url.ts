// Pure: no I/O, clock or randomness.

/** Returns the base URL of bio pages, without a trailing slash. */
export function readBioUrl({ html_url, slug }: { html_url: string; slug: string }): string {
  return html_url.slice(0, -(slug.length + 1));
}
