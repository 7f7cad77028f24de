import fc from "fast-check";
import { hostileText } from "./arbitrary.ts";
import { conditionalHeader, type HeaderList, visitorHeaders } from "./arbitrary-headers.ts";

/** Generators of visits without an API key, and of uploads to altered signed URLs. */

/** Kind of URL that a visit requests. `service` means the API host's paths that need no key. */
export type Surface = "link" | "page" | "file" | "service";

/** One request of a visitor. */
export interface Visit {
  surface: Surface;
  /** Index into the URLs of that kind, modulo their number. */
  index: number;
  /** Path and query. `{known}` is replaced by the path of the chosen URL. */
  path: string;
  method: string;
  headers: HeaderList;
}

const pathLike = fc.constantFrom(
  ...[
    "{known}/",
    "{known}//",
    "/{known}",
    "{known}%00",
    "{known}%ED%A0%80",
    "{known}\ud800",
    "{known}.",
    "{known}..",
  ],
  ...[
    "/.{known}",
    "/..{known}",
    "{known}/..{known}",
    "{known};a=1",
    "{known}%2F",
    "/%2e%2e%2f{known}",
    "{known}\\",
  ],
  ...[
    "{known} ",
    "{known}\t",
    "{known}%",
    "{known}%zz",
    "{known}+",
    "{known}é",
    "{known}%C3%A9",
    "{known}\u0130",
  ],
  ...[
    "{known}/l/0",
    "{known}/l/1",
    "{known}/l/99",
    "{known}/l/00",
    "{known}/l/-1",
    "{known}/l/1e1",
    "{known}/l/0/",
  ],
  ...[
    "/",
    "/__proto__",
    "/constructor",
    "/toString",
    "/%00",
    "/%",
    "/%%%",
    "/v1",
    "/docs",
    "/healthz",
    "/cdn-cgi/",
  ],
  ...[
    "/robots.txt",
    "/favicon.ico",
    "/.well-known/security.txt",
    "/index.php",
    "/🎉",
    "/%F0%9F%8E%89",
    "/<script>",
  ],
  ...[
    `/${"x".repeat(8_000)}`,
    `/${"a/".repeat(3_000)}`,
    `/${"%20".repeat(2_000)}`,
    `{known}${"/".repeat(2_000)}`,
  ],
);

const query = fc.oneof(
  fc.constantFrom(
    "?",
    "??",
    "?%",
    "?a=%ED%A0%80",
    "?a=\ud800",
    "?__proto__=1",
    "?utm_source=mail",
    "?beta",
    "?=",
    "?&&&",
  ),
  fc.constantFrom(
    `?${"a=1&".repeat(2_000)}`,
    `?a=${"x".repeat(8_000)}`,
    "#fragment",
    "?a#b",
    "?a=%00",
    "?a=1&a=2",
  ),
  hostileText.map((text) => `?${encodeURIComponent(text)}=${encodeURIComponent(text)}`),
);

/** Visits, most of them to an existing URL. */
export const visit: fc.Arbitrary<Visit> = fc.record({
  surface: fc.constantFrom("link", "link", "link", "page", "page", "file", "file", "service"),
  index: fc.nat(),
  path: fc
    .tuple(
      fc.oneof(
        { arbitrary: fc.constant("{known}"), weight: 5 },
        { arbitrary: pathLike, weight: 3 },
        { arbitrary: hostileText.map((text) => `/${encodeURIComponent(text)}`), weight: 1 },
      ),
      fc.oneof({ arbitrary: fc.constant(""), weight: 3 }, { arbitrary: query, weight: 1 }),
    )
    .map(([path, search]) => path + search),
  method: fc.oneof(
    { arbitrary: fc.constant("GET"), weight: 10 },
    { arbitrary: fc.constant("HEAD"), weight: 2 },
    {
      arbitrary: fc.constantFrom("OPTIONS", "POST", "PUT", "DELETE", "PATCH", "TRACE", "PROPFIND"),
      weight: 1,
    },
  ),
  headers: fc
    .tuple(visitorHeaders, fc.array(conditionalHeader, { maxLength: 2 }))
    .map(([visitor, conditional]) => [...visitor, ...conditional]),
});

/** Request to an upload URL that was signed for `size` bytes of text/plain. */
export interface FuzzedUpload {
  /** Number of bytes that the URL is signed for. */
  size: number;
  /** Change of one query parameter. A null value removes it. `{own}` is replaced by the signed value. */
  tamper: { name: string; value: string | null; isAdded: boolean } | null;
  /** Path. `{known}` is replaced by the signed path. */
  path: string;
  method: string;
  /** Content type to send, or null for the signed one. */
  type: string | null;
  /** Number of bytes sent beyond the signed number, or negative for a body that is too short. */
  surplus: number;
  /** True if the body is a stream, which has no `Content-Length`. */
  isStreamed: boolean;
}

const tampering = fc.record({
  name: fc.constantFrom("size", "type", "expires", "signature", "stray", "__proto__"),
  value: fc.oneof(
    fc.constant(null),
    fc.constantFrom(
      " {own}",
      "{own} ",
      "{own}.0",
      "{own}e0",
      "+{own}",
      "0{own}",
      "{own}\0",
      "{own}{own}",
      "-{own}",
    ),
    fc.constantFrom("0x10", "1e1", "NaN", "9".repeat(20), "text/html", "TEXT/PLAIN", "0".repeat(64)),
    hostileText,
  ),
  isAdded: fc.boolean(),
});

/** Uploads, many of them exactly as signed. */
export const upload: fc.Arbitrary<FuzzedUpload> = fc.record({
  size: fc.integer({ min: 1, max: 64 }),
  tamper: fc.oneof({ arbitrary: fc.constant(null), weight: 3 }, { arbitrary: tampering, weight: 2 }),
  path: fc.oneof(
    { arbitrary: fc.constant("{known}"), weight: 12 },
    {
      arbitrary: fc.constantFrom(
        "{known}/",
        "{known}%00",
        "{known}x",
        "/uploads/a/b",
        "/uploads/%ED%A0%80/%00",
      ),
      weight: 1,
    },
  ),
  method: fc.oneof(
    { arbitrary: fc.constant("PUT"), weight: 12 },
    { arbitrary: fc.constantFrom("POST", "GET", "HEAD", "DELETE", "PATCH", "OPTIONS"), weight: 1 },
  ),
  type: fc.oneof(
    { arbitrary: fc.constant(null), weight: 6 },
    {
      arbitrary: fc.constantFrom(
        ...[
          "",
          "text/html",
          "TEXT/PLAIN",
          "text/plain; charset=utf-8",
          "text/plain;",
          "text/plain, text/html",
          "é",
        ],
        ...["multipart/form-data; boundary=x", "/", "__proto__", "x".repeat(9_000)],
      ),
      weight: 1,
    },
  ),
  surplus: fc.oneof(
    { arbitrary: fc.constant(0), weight: 4 },
    { arbitrary: fc.integer({ min: -64, max: 64 }), weight: 1 },
  ),
  isStreamed: fc.boolean(),
});
