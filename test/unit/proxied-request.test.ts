import { expect, onTestFinished, test, vi } from "vitest";
import { readProxied } from "../../src/self-host/proxied-request.ts";

const URL_TEXT = "http://go.acme.test/spring?a=1";

/** Returns the URL, the address and all headers that the Worker gets. */
function read(headers: Record<string, string>, secret = "") {
  const request = readProxied(new Request(URL_TEXT, { headers }), secret, () => ({}));
  const { "cf-connecting-ip": address = null, ...others } = Object.fromEntries(request.headers);
  return { url: request.url, address, others };
}

test("the client's address and scheme are the last ones in the proxy's headers", () => {
  expect(
    read({ "X-Forwarded-For": "6.6.6.6, 203.0.113.9", "X-Forwarded-Proto": "HTTPS", Accept: "text/html" }),
  ).toEqual({
    url: "https://go.acme.test/spring?a=1",
    address: "203.0.113.9",
    others: { accept: "text/html" },
  });
});

test.each([
  "CF-Connecting-IP",
  "CF-IPCountry",
  "MF-CF-Blob",
  "MF-Original-URL",
  "Forwarded",
  "X-Real-IP",
  "True-Client-IP",
])("%s of a client is removed", (name) =>
  expect(read({ [name]: "203.0.113.9" })).toEqual({ url: URL_TEXT, address: null, others: {} }),
);

test("with a secret, requests without it are not from the proxy", () => {
  const headers = { "X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https" };
  for (const other of [{}, { "X-Signpost-Proxy": "wrong" }]) {
    expect(read({ ...headers, ...other }, "s")).toEqual({ url: URL_TEXT, address: null, others: {} });
  }
  expect(read({ ...headers, "X-Signpost-Proxy": "s" }, "s")).toMatchObject({
    address: "203.0.113.9",
    others: {},
  });
});

test("the country comes from a proxy with a secret, otherwise from the address", () => {
  const NodeRequest = Request;
  vi.stubGlobal(
    "Request",
    class extends NodeRequest {
      constructor(input: string | Request, init: RequestInit = {}) {
        super(input, init);
        Object.assign(this, { cf: init.cf });
      }
    },
  );
  onTestFinished(() => void vi.unstubAllGlobals());
  const found = { country: "FR", regionCode: "IDF" };
  const locate = (secret: string, headers: Record<string, string>) =>
    readProxied(new NodeRequest(URL_TEXT, { headers }), secret, (address) =>
      address === "203.0.113.9" ? found : {},
    ).cf;
  const proxied = { "X-Signpost-Proxy": "s", "X-Forwarded-For": "203.0.113.9" };
  const named = { ...proxied, "X-Signpost-Country": "CA", "X-Signpost-Region": "QC" };
  expect(locate("s", named)).toEqual({ country: "CA", regionCode: "QC" });
  expect([locate("", named), locate("s", proxied), locate("", proxied)]).toEqual([found, found, found]);
  expect([locate("t", named), locate("s", { "X-Signpost-Proxy": "s" })]).toEqual([{}, {}]);
});

test("method and body are kept", async () => {
  const request = readProxied(new Request(URL_TEXT, { method: "POST", body: "password=x" }), "", () => ({}));
  expect([request.method, await request.text()]).toEqual(["POST", "password=x"]);
});
