/** Returns the URL of the host of bio pages, without a slash at its end. */
export function readBioUrl({ html_url, slug }: { html_url: string; slug: string }): string {
  return html_url.slice(0, -(slug.length + 1));
}
