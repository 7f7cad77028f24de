import fc from "fast-check";

/** Generators of request headers, both well-formed and hostile. */

export type HeaderList = [name: string, value: string][];

/** Placeholder for the API key. It is replaced when the request is sent. */
export const KEY = "{key}";

/** Hostile values for a header of any name, as far as HTTP permits them. */
const hostileValue = fc.constantFrom(
  ...["", ",", ",,,", ";", ";q=", '"', '""', "'", "\\", "*", "-1", "0", "9".repeat(400), "1e999", "NaN"],
  // The non-ASCII characters share one value, because the runtime logs a warning for each such value.
  ...["a\tb", "\u0001", "\u007f", "é\u0080👍\u202e\ud800"],
  ...[
    "%00",
    "%ED%A0%80",
    "%",
    "../../etc/passwd",
    "<script>alert(1)</script>",
    "'; drop table links; --",
    "#{7*7}",
  ],
  ...["null", "undefined", "__proto__", "constructor", "[object Object]", "{}", "[]"],
  ...["x".repeat(9_000), "a,".repeat(5_000), '"'.repeat(5_000), "W/".repeat(4_000), `${"(".repeat(4_000)}`],
);

/** Generates a header of the given name. One in four values is hostile instead of one of `values`. */
function header(name: string, ...values: string[]): fc.Arbitrary<[string, string]> {
  const own = values.length === 0 ? hostileValue : fc.constantFrom(...values);
  return fc
    .oneof({ arbitrary: own, weight: 3 }, { arbitrary: hostileValue, weight: 1 })
    .map((value): [string, string] => [name, value]);
}

const HTTP_DATE = "Wed, 21 Oct 2015 07:28:00 GMT";

const position = fc.oneof(fc.constant(""), fc.nat(20).map(String), fc.nat(80_000).map(String));

/** Range headers with a single range, most of which can be satisfied. */
const range = fc
  .tuple(position, position)
  .map(([from, to]): [string, string] => ["Range", `bytes=${from}-${to}`]);

/** Headers of conditional requests and of range requests (RFC 9110, sections 13 and 14). */
export const conditionalHeader = fc.oneof(
  range,
  range,
  header(
    "If-None-Match",
    ...["*", '"a"', 'W/"a"', '"a", "b"', '"', "a", `W/${'"'.repeat(9)}`, `"${"a".repeat(8_000)}"`],
  ),
  header("If-Match", "*", '"a"', 'W/"a"', "a"),
  header("If-Modified-Since", HTTP_DATE, "Thu, 01 Jan 2099 00:00:00 GMT", "yesterday", "0", "275760-09-13"),
  header("If-Unmodified-Since", HTTP_DATE, "Thu, 01 Jan 2099 00:00:00 GMT", "-271821-04-20"),
  header("If-Range", '"a"', 'W/"a"', HTTP_DATE),
  header(
    "Range",
    ...[
      "bytes=0-",
      "bytes=0-0",
      "bytes=-1",
      "bytes=-0",
      "bytes=1-0",
      "bytes=-",
      "bytes=0-0,2-3",
      "BYTES = 0-1",
    ],
    ...[
      "bytes=0-18446744073709551616",
      "bytes=9007199254740993-",
      "bytes=-99999999999999999999",
      "bytes=1e1-",
    ],
    ...["items=0-1", "bytes=0x0-1", `bytes=${"0-1,".repeat(2_000)}`, `bytes=${"9".repeat(400)}-`],
  ),
);

const negotiation = fc.oneof(
  header(
    "Accept",
    "application/json",
    "*/*",
    "text/html",
    "image/png",
    "application/json;q=0",
    "application/xml",
  ),
  header("Accept-Encoding", "gzip, br", "identity;q=0", "*;q=0"),
  header("Accept-Language", "fr-CA, fr;q=0.9", "*", "x-klingon"),
);

/** Headers that browsers add by themselves. */
const browserHeader = fc.oneof(
  header("Origin", "https://example.com", "null", "http://localhost:8787", "file://", "https://a https://b"),
  header("Access-Control-Request-Method", "DELETE", "POST", "PURGE", "*"),
  header("Access-Control-Request-Headers", "authorization", "x-stray, idempotency-key", "*"),
  header("Referer", "https://example.com/", "not a URL"),
  header("Cookie", "session=1", "a=b; ".repeat(500)),
);

/** Headers that a service must not trust from clients, such as proxy headers. */
const override = fc.oneof(
  header("X-HTTP-Method-Override", "DELETE", "PATCH", "POST"),
  header("X-HTTP-Method", "DELETE"),
  header("X-Method-Override", "DELETE"),
  header("X-Original-URL", "/v1/workspace", "/admin"),
  header("X-Rewrite-URL", "/v1/workspace"),
  header("X-Forwarded-Host", "evil.example", "cdn.localhost"),
  header("Forwarded", "host=evil.example;proto=https;for=127.0.0.1"),
  header("X-Request-Id", "mine", "00000000-0000-0000-0000-000000000000"),
  header("X-RateLimit-Remaining", "99999999"),
  header("Content-Encoding", "gzip", "br", "identity"),
  header("Content-Length", "0", "1", "99999999999", "-1", "1.5"),
  header("Expect", "100-continue", "200-ok"),
  header("X-Stray", "x".repeat(60_000)),
);

const authorization = header(
  "Authorization",
  ...[
    `bearer ${KEY}`,
    `BEARER ${KEY}`,
    `Bearer  ${KEY}`,
    `Bearer\t${KEY}`,
    KEY,
    `Bearer Bearer ${KEY}`,
    "Bearer",
  ],
  ...[
    `Bearer "${KEY}"`,
    `Bearer ${KEY}.`,
    `Bearer ${KEY}, Bearer ${KEY}`,
    `Token ${KEY}`,
    `Basic ${KEY}`,
    "Bearer x",
  ],
  ...[`Bearer svc_pk_${"A".repeat(8)}.${"A".repeat(64)}`],
  `Bearer ${"x".repeat(60_000)}`,
);

const contentType = header(
  "Content-Type",
  ...[
    "application/json; charset=utf-8",
    "APPLICATION/JSON",
    "application/json;charset=latin1",
    "application/json;",
  ],
  ...[
    "application/json ; charset=utf-8",
    "application/json; charset",
    "application/json, text/plain",
    "text/plain",
  ],
  ...[
    "application/jsonx",
    "application/vnd.api+json",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
  ],
  ...["multipart/form-data; boundary=", "json", "/", "application/", "text/json"],
);

const idempotencyKey = fc.oneof(
  { arbitrary: fc.uuid().map((key): [string, string] => ["Idempotency-Key", key]), weight: 3 },
  {
    arbitrary: header(
      "Idempotency-Key",
      ...["a", "A", "a".repeat(255), "é👍", "a".repeat(256), "a b", '"a"', "a, b", "%61"],
    ),
    weight: 2,
  },
);

/** Generates the headers of a request: none, one, or up to six together. */
export function headersFor(method: string): fc.Arbitrary<HeaderList> {
  const any = fc.oneof(
    { arbitrary: conditionalHeader, weight: 3 },
    { arbitrary: negotiation, weight: 2 },
    { arbitrary: browserHeader, weight: 2 },
    { arbitrary: override, weight: 3 },
    { arbitrary: authorization, weight: 2 },
    { arbitrary: contentType, weight: method === "GET" ? 1 : 5 },
    { arbitrary: idempotencyKey, weight: method === "POST" ? 8 : 1 },
  );
  return fc.oneof(
    { arbitrary: fc.constant<HeaderList>([]), weight: 3 },
    { arbitrary: fc.array(any, { minLength: 1, maxLength: 1 }), weight: 3 },
    { arbitrary: fc.array(any, { minLength: 2, maxLength: 6 }), weight: 1 },
  );
}

/** Headers that redirects and bio pages read to describe their visitor, with values that break naive parsers. */
const visitorHeader = fc.oneof(
  header(
    "User-Agent",
    ...[
      "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 Version/17.4 Mobile Safari/604.1",
    ],
    ...[
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/130.0.0.0 Safari/537.36",
      "curl/8.5.0",
    ],
    ...[
      "Googlebot/2.1",
      "Mozilla/5.0 (",
      "Mozilla/5.0 ()",
      "Chrome/",
      "constructor",
      "CrOS",
      `Mozilla/${"9.".repeat(3_000)}`,
    ],
    ...[`Mozilla/5.0 ${"(".repeat(3_000)}`, `Opera/${" ".repeat(8_000)}x`, `${"a/1 ".repeat(2_000)}`],
  ),
  header(
    "Accept-Language",
    ...[
      "fr-CA, fr;q=0.9, en;q=0.8",
      "*",
      "en;q=",
      "en;q=NaN",
      "en;q=2",
      "en;q=-1",
      ";;;",
      "fr_CA",
      "x".repeat(300),
    ],
    ...[`${"en,".repeat(3_000)}fr`, "EN-us", "zh-Hant-TW", "default", "unknown"],
  ),
  header(
    "Referer",
    ...[
      "https://example.com/page",
      "about:blank",
      "data:text/html,x",
      "javascript:alert(1)",
      "https://",
      "//x",
      "direct",
    ],
    ...[
      "https://xn--a",
      "https://user:pw@example.com/",
      `https://${"a".repeat(300)}.example/`,
      "https://例え.テスト/",
      "http://[::1]/",
    ],
  ),
  header("CF-IPCountry", "CA", "ca", "XX", "T1", "UK", "C", "CAN", "__proto__"),
  header("CF-IPContinent", "NA", "na", "ZZ"),
  header("CF-Region-Code", "QC", "qc", "1".repeat(20)),
  header("CF-Connecting-IP", "203.0.113.7", "::1", "not an address", "1.1.1.1, 2.2.2.2"),
  header("Sec-CH-UA-Platform", '"Android"', '"', "macOS", '"constructor"'),
  header("Sec-CH-UA-Mobile", "?1", "?0", "?"),
  header("Sec-Purpose", "prefetch", "prefetch;prerender", "none"),
  header("Accept", "application/json", "text/html, application/json", "application/json;q=0", "*/*"),
);

/** Headers of a visit to a short link, a bio page or a file. */
export const visitorHeaders: fc.Arbitrary<HeaderList> = fc.array(
  fc.oneof(
    { arbitrary: visitorHeader, weight: 6 },
    { arbitrary: conditionalHeader, weight: 1 },
    { arbitrary: override, weight: 1 },
    { arbitrary: browserHeader, weight: 1 },
  ),
  { maxLength: 5 },
);
