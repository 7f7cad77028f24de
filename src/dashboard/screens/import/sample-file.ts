// Pure: no I/O, clock or randomness.

/** Sample CSV file for an import. It shows the required column, `url`, and some optional ones. */
export const SAMPLE_NAME = "signpost-sample.csv";

const LINES = [
  "url,slug,title,labels,expires_at",
  'https://example.com/summer,summer-sale,Summer sale,"print, 2027",2027-09-01T00:00:00Z',
  "https://example.com/menu,menu,Menu of the week,restaurant,",
  "https://example.com/imprint,,Imprint,,",
];

/** Content of the sample file. */
export const SAMPLE_TEXT = LINES.map((line) => `${line}\r\n`).join("");
