import { afterEach, describe, expect, test, vi } from "vitest";
import { readAtMost } from "../../src/core/body.ts";
import { maskUrl } from "../../src/core/mask-url.ts";
import {
  fetchGuarded,
  findOutboundProblem,
  type OutboundPolicy,
  OutboundRefusedError,
} from "../../src/core/outbound.ts";

const isOwn = (url: URL) => url.hostname.replace(/\.$/, "") === "api.signpost.example";
const PUBLIC: OutboundPolicy = { allowLoopback: false, isOwn };
const LOCAL: OutboundPolicy = { allowLoopback: true, isOwn };

const NOT_A_URL = "must be a URL";
const CREDENTIALS = "must not contain a user name or password";
const OWN = "must not be a URL of this service";
const SCHEME = "must be an https URL";
const HOST = "must use a public hostname, not an IP address or a private name";
const PORT = "must use port 443 or 8443";

test.each([
  "https://example.com/hook?x=1",
  "https://EXAMPLE.com",
  "https://example.com./trailing-dot",
  "https://example.com:443/",
  "https://example.com:8443/",
  "https://a.b.c.example.co.uk/",
  "https://127.0.0.1.example.com/",
  "https://localhost.example.com/",
  "https://1e100.net/",
  "https://_dmarc.example.com/",
  "https://bücher.example/",
  "https://xn--bcher-kva.example/",
  "https://пример.испытание/",
])("findOutboundProblem allows %s", (address) => {
  expect(findOutboundProblem(address, PUBLIC)).toBeNull();
  expect(findOutboundProblem(address, LOCAL)).toBeNull();
});

const LOOPBACK = [
  "localhost",
  "LOCALHOST",
  "localhost.",
  "hooks.localhost",
  "127.0.0.1",
  "127.0.0.1.",
  "127.255.255.254",
  "127.1",
  "0x7f.1",
  "0x7f000001",
  "2130706433",
  "017700000001",
  "0177.0.0.1",
  "１２７.０.０.１",
  "[::1]",
  "[0:0:0:0:0:0:0:1]",
];

describe.each(LOOPBACK)("findOutboundProblem of the loopback host %s", (host) => {
  test("rejects it in a deployment", () => {
    expect(findOutboundProblem(`https://${host}/`, PUBLIC)).toBe(HOST);
    expect(findOutboundProblem(`http://${host}:3000/`, PUBLIC)).toBe(SCHEME);
  });

  test("allows it with http and any port in local development", () => {
    for (const origin of [`https://${host}`, `http://${host}`, `http://${host}:3000`]) {
      expect(findOutboundProblem(origin, LOCAL), origin).toBeNull();
    }
    expect(findOutboundProblem(`ftp://${host}/`, LOCAL)).toBe("must be an http or https URL");
    expect(findOutboundProblem(`http://user@${host}/`, LOCAL)).toBe(CREDENTIALS);
  });
});

const PRIVATE = [
  ["this network", "0.0.0.0"],
  ["this network, in short", "0"],
  ["private 10/8", "10.0.0.1"],
  ["private 10/8 as a number", "167772161"],
  ["private 172.16/12", "172.16.0.1"],
  ["private 192.168/16", "192.168.1.1"],
  ["private 192.168/16 in hex", "0xc0a80101"],
  ["shared 100.64/10", "100.64.0.1"],
  ["link-local metadata", "169.254.169.254"],
  ["link-local metadata as a number", "2852039166"],
  ["link-local metadata in octal", "0251.0376.0251.0376"],
  ["broadcast", "255.255.255.255"],
  ["multicast", "224.0.0.1"],
  ["a public IPv4 address", "8.8.8.8"],
  ["unspecified IPv6", "[::]"],
  ["IPv4-mapped loopback", "[::ffff:127.0.0.1]"],
  ["IPv4-mapped loopback in hex", "[::ffff:7f00:1]"],
  ["IPv4-mapped metadata", "[::ffff:a9fe:a9fe]"],
  ["NAT64 loopback", "[64:ff9b::7f00:1]"],
  ["unique local IPv6", "[fd00::1]"],
  ["IPv6 metadata of AWS", "[fd00:ec2::254]"],
  ["link-local IPv6", "[fe80::1]"],
  ["a public IPv6 address", "[2001:4860:4860::8888]"],
  ["a name without a domain", "metadata"],
  ["metadata of Google", "metadata.google.internal"],
  ["metadata of Google, dotted", "metadata.google.internal."],
  ["the suffix local", "printer.local"],
  ["the suffix internal", "db.INTERNAL"],
  ["the suffix internal itself", "internal"],
  ["the suffix home.arpa", "router.home.arpa"],
  ["two trailing dots", "printer.local.."],
  ["an empty label", "a..example.com"],
  ["a top level that ends in a hyphen", "example.com-"],
  ["a name over 253 characters", `${"a.".repeat(126)}example`],
  ["a label over 63 characters", `${"a".repeat(64)}.example`],
] as const;

test.each(PRIVATE)("findOutboundProblem rejects %s, also in local development: %s", (_, host) => {
  expect(findOutboundProblem(`https://${host}/`, PUBLIC)).toBe(HOST);
  expect(findOutboundProblem(`https://${host}/`, LOCAL)).toBe(HOST);
});

test.each([
  ["", NOT_A_URL],
  ["example.com/hook", NOT_A_URL],
  ["https://", NOT_A_URL],
  ["https://[::1", NOT_A_URL],
  ["https://256.256.256.256/", NOT_A_URL],
  ["https://1.2.3.4.5/", NOT_A_URL],
  ["https://exa mple.com/", NOT_A_URL],
  ["https://example.com:99999/", NOT_A_URL],
  ["http://example.com/", SCHEME],
  ["ftp://example.com/", SCHEME],
  ["file:///etc/passwd", SCHEME],
  ["data:text/plain,x", SCHEME],
  ["javascript:alert(1)", SCHEME],
  ["gopher://example.com:70/", SCHEME],
  ["ws://example.com/", SCHEME],
  ["https://example.com:80/", PORT],
  ["https://example.com:22/", PORT],
  ["https://example.com:8080/", PORT],
  ["https://user@example.com/", CREDENTIALS],
  ["https://user:secret@example.com/", CREDENTIALS],
  ["https://:secret@example.com/", CREDENTIALS],
  ["https://example.com@127.0.0.1/", CREDENTIALS],
  ["https://api.signpost.example/v1/links", OWN],
  ["https://API.Signpost.Example./", OWN],
])("findOutboundProblem rejects %j: %s", (address, fault) => {
  expect(findOutboundProblem(address, PUBLIC)).toBe(fault);
  expect(findOutboundProblem(address, LOCAL)).toBe(fault);
});

describe("fetchGuarded", () => {
  afterEach(() => vi.unstubAllGlobals());

  /** Stubs `fetch`: a URL in `locations` redirects, and every other URL returns "here". */
  function stubRedirects(locations: Record<string, string>, status = 302) {
    const fetched = vi.fn(async (address: string, _init: RequestInit) => {
      const location = locations[address];
      return location === undefined
        ? new Response("here")
        : new Response(null, { status, headers: { Location: location } });
    });
    vi.stubGlobal("fetch", fetched);
    return fetched;
  }

  const get = (address: string, redirectsMax?: number) =>
    fetchGuarded(address, { policy: PUBLIC, timeoutMs: 1_000, ...(redirectsMax && { redirectsMax }) });

  test("does not request a rejected URL", async () => {
    const fetched = stubRedirects({});
    await expect(get("https://127.0.0.1/")).rejects.toThrow(new OutboundRefusedError(HOST));
    expect(fetched).not.toHaveBeenCalled();
  });

  test("passes its options to fetch, but with manual redirects", async () => {
    const fetched = stubRedirects({});
    await fetchGuarded("https://a.example/", {
      policy: PUBLIC,
      timeoutMs: 1_000,
      method: "POST",
      redirect: "follow",
    });
    const [, init] = fetched.mock.calls[0] as [string, RequestInit];
    expect(init).toMatchObject({ method: "POST", redirect: "manual", signal: expect.any(AbortSignal) });
    expect(init).not.toHaveProperty("policy");
  });

  test("returns the redirect by default", async () => {
    const fetched = stubRedirects({ "https://a.example/": "https://b.example/" });
    expect((await get("https://a.example/")).status).toBe(302);
    expect(fetched).toHaveBeenCalledTimes(1);
  });

  test("follows up to redirectsMax redirects, including relative ones", async () => {
    const fetched = stubRedirects({
      "https://a.example/x/1": "../2",
      "https://a.example/2": "//b.example/3",
    });
    expect(await (await get("https://a.example/x/1", 2)).text()).toBe("here");
    expect(fetched.mock.calls.map(([address]) => address)).toEqual([
      "https://a.example/x/1",
      "https://a.example/2",
      "https://b.example/3",
    ]);
  });

  test("throws at the first redirect after redirectsMax", async () => {
    const fetched = stubRedirects({ "https://a.example/": "https://a.example/" });
    await expect(get("https://a.example/", 3)).rejects.toThrow(OutboundRefusedError);
    expect(fetched).toHaveBeenCalledTimes(4);
  });

  test.each([
    ["http://b.example/", SCHEME],
    ["https://169.254.169.254/latest/meta-data/", HOST],
    ["//localhost/", HOST],
    ["https://user@b.example/", CREDENTIALS],
    ["https://api.signpost.example/", OWN],
  ])("does not follow a redirect to %s", async (location, fault) => {
    const fetched = stubRedirects({ "https://a.example/": location });
    await expect(get("https://a.example/", 3)).rejects.toThrow(new OutboundRefusedError(fault));
    expect(fetched).toHaveBeenCalledTimes(1);
  });

  test("throws at a redirect whose Location is not a URL", async () => {
    stubRedirects({ "https://a.example/": "https://[" });
    await expect(get("https://a.example/", 3)).rejects.toThrow(OutboundRefusedError);
  });

  test.each([
    [299, 1],
    [300, 2],
    [399, 2],
    [400, 1],
  ])("requests %i with a Location %i times: only 3xx redirects", async (status, requests) => {
    const fetched = stubRedirects({ "https://a.example/": "https://b.example/" }, status);
    await get("https://a.example/", 3);
    expect(fetched).toHaveBeenCalledTimes(requests);
  });

  test("returns a 304 without Location as the response", async () => {
    vi.stubGlobal("fetch", async () => new Response(null, { status: 304 }));
    expect((await get("https://a.example/", 3)).status).toBe(304);
  });

  test("throws a TimeoutError after timeoutMs", async () => {
    vi.stubGlobal("fetch", (_: string, { signal }: RequestInit) => {
      const { promise, reject } = Promise.withResolvers<Response>();
      signal?.addEventListener("abort", () => reject(signal.reason));
      return promise;
    });
    const pending = fetchGuarded("https://a.example/", { policy: PUBLIC, timeoutMs: 5 });
    await expect(pending).rejects.toMatchObject({ name: "TimeoutError" });
  });
});

describe("readAtMost", () => {
  /** Returns a response whose body arrives in the given chunks. */
  function createStreamedResponse(...chunks: string[]): { response: Response; isCancelled: () => boolean } {
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const chunk = chunks.shift();
        if (chunk === undefined) controller.close();
        else controller.enqueue(new TextEncoder().encode(chunk));
      },
      cancel() {
        cancelled = true;
      },
    });
    return { response: new Response(body), isCancelled: () => cancelled };
  }

  test.each([
    [["abc", "def"], 10, "abcdef", false],
    [["abc", "def"], 6, "abcdef", false],
    [["abc", "def"], 5, "abcde", true],
    [["abc", "def"], 3, "abc", true],
    [["abc"], 0, "", true],
    [[], 0, "", false],
  ])("of %j with maxBytes %i returns %j, isCut %j", async (chunks, max, text, isCut) => {
    const read = await readAtMost(createStreamedResponse(...chunks).response, max);
    expect(new TextDecoder().decode(read.bytes)).toBe(text);
    expect(read.isCut).toBe(isCut);
  });

  test("cancels the rest of a long body", async () => {
    const long = createStreamedResponse(...Array.from({ length: 1_000 }, () => "abc"));
    await readAtMost(long.response, 10);
    expect(long.isCancelled()).toBe(true);
  });

  test("returns no bytes if there is no body", async () => {
    expect(await readAtMost(new Response(null), 10)).toEqual({ bytes: new Uint8Array(), isCut: false });
  });
});

test.each([
  ["https://hooks.example.com", "https://hooks.example.com/"],
  ["https://hooks.example.com:8443/", "https://hooks.example.com:8443/"],
  ["https://hooks.example.com/a", "https://hooks.example.com/…"],
  ["https://hooks.example.com?token=1", "https://hooks.example.com/…"],
  ["https://hooks.example.com/#token", "https://hooks.example.com/…"],
  ["https://user:password@hooks.example.com/", "https://hooks.example.com/…"],
  ["HTTPS:\\\\hooks.example.com\\a", "https://hooks.example.com/…"],
  ["not a URL", "…"],
])("%s is masked as %s", (url, masked) => {
  expect(maskUrl(url)).toBe(masked);
  expect(maskUrl(masked)).toBe(masked);
});
