// Pure: no I/O, clock or randomness.

/** Title and text of a page, without HTML. */
export interface PageTexts {
  title: string;
  text: string;
}

/**
 * Texts of the pages that visitors see, in one language. `{name}` is replaced with the name of the host's
 * workspace. Names can't be inflected, so texts use them only where a name of any gender or number fits.
 */
export interface VisitorTexts {
  /** BCP 47 tag of the language. */
  tag: string;
  /** Label of the link for reporting abuse. */
  report: string;
  /** Errors of short links, by status. `banned` is for links that an administrator stopped. */
  link: Record<404 | 405 | 410 | 429 | 451 | "banned" | 503, PageTexts>;
  /** Replace texts of `link` on hosts that belong to a workspace. */
  named: {
    404: { title: string };
    410: { text: string };
    451: { text: string };
  };
  /** Password form. `wrongTitle` is the title of the document after a wrong password. */
  password: Record<"title" | "wrongTitle" | "hint" | "label" | "wrong", string>;
  /** Errors of password forms, by status. */
  refusal: Record<403 | 413 | 415 | 429, PageTexts>;
  /** Page that programs get instead of using up a scan of a limited link. */
  held: PageTexts;
  /** Page with a button, shown to visitors who may be programs. */
  confirm: PageTexts;
  /** Label of the button or link that opens a short link. */
  openLink: string;
  /** Errors of bio pages, by status. */
  page: Record<404 | 405 | 429 | 451 | 503, PageTexts>;
  /** Errors of public files, by status. */
  file: Record<404 | 405 | 451 | 503, PageTexts>;
}
