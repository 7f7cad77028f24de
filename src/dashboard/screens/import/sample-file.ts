/** Example of a file that can be imported: what it takes to begin, and what more a file may have. */
export const SAMPLE_NAME = "signpost-sample.csv";

const LINES = [
  "url,slug,title,labels,expires_at",
  'https://example.com/summer,summer-sale,Summer sale,"print, 2027",2027-09-01T00:00:00Z',
  "https://example.com/menu,menu,Menu of the week,restaurant,",
  "https://example.com/imprint,,Imprint,,",
];

/** Text of the example. */
export const SAMPLE_TEXT = LINES.map((line) => `${line}\r\n`).join("");
