import { calculatePKCECodeChallenge } from "oauth4webapi";
import { onTestFinished, vi } from "vitest";
import { workerEnv } from "./harness.ts";
import { APP, visitApp } from "./people.ts";

/** Algorithms that the stub signs with, and the keys they need. */
const KEYS = {
  ES256: { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" },
  EdDSA: { name: "Ed25519" },
  RS256: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" },
  PS256: { name: "RSA-PSS", hash: "SHA-256", saltLength: 32 },
  RS512: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-512" },
  HS256: { name: "HMAC", hash: "SHA-256" },
} as const;

export type StubAlgorithm = keyof typeof KEYS | "none";

type JsonObject = Record<string, unknown>;

/** Cookies of a browser. */
export type Jar = Map<string, string>;

let providers = 0;
const generated = new Map<string, Promise<{ privateKey: CryptoKey; jwk: JsonObject }>>();

/** Generates a key once for all tests of a file. */
function getKey(algorithm: keyof typeof KEYS, kid: string) {
  const id = `${algorithm} ${kid}`;
  const key = generated.get(id) ?? generateKey(algorithm, kid);
  generated.set(id, key);
  return key;
}

async function generateKey(algorithm: keyof typeof KEYS, kid: string) {
  const parameters = KEYS[algorithm];
  const isRsa = parameters.name.startsWith("RSA");
  const generate = {
    ...parameters,
    ...(isRsa && { modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) }),
  };
  const pair = (await crypto.subtle.generateKey(generate as SubtleCryptoGenerateKeyAlgorithm, true, [
    "sign",
    "verify",
  ])) as CryptoKeyPair;
  const jwk = (await crypto.subtle.exportKey("jwk", pair.publicKey)) as unknown as JsonObject;
  return {
    privateKey: pair.privateKey,
    jwk: { kty: jwk.kty, crv: jwk.crv, x: jwk.x, y: jwk.y, n: jwk.n, e: jwk.e, kid },
  };
}

function encode(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

const encodeText = (text: string) => encode(new TextEncoder().encode(text));

/** Request that the stub received. */
interface Received {
  path: string;
  body: URLSearchParams;
  headers: Headers;
}

/**
 * Stubbed identity provider. It replaces the isolate's `fetch`, signs its own tokens, and can be set to break
 * every rule. Its codes can be used repeatedly.
 */
export class StubProvider {
  readonly issuer: string;
  readonly env: Env;
  readonly received: Received[] = [];
  /** Replaces claims of ID tokens. A value of undefined omits the claim. */
  claims: JsonObject = {};
  header: JsonObject = {};
  algorithm: StubAlgorithm = "ES256";
  kid = "first";
  /** Ids of the keys that the provider publishes. */
  publishedKids = ["first"];
  metadata: JsonObject = {};
  /** Replaces members of the token response. */
  tokens: JsonObject = {};
  userInfo: JsonObject | null = null;
  /** Responds in place of the provider if it returns a response. */
  intercept: (path: string, init: RequestInit) => Response | Promise<Response> | null = () => null;
  /** Changes the ID token after it is signed. */
  tamper: (token: string) => string = (token) => token;
  /** Authorization requests pushed to the provider, by their reference. */
  readonly #pushed = new Map<string, URLSearchParams>();
  #transaction = { nonce: "", challenge: "", redirectUri: "" };

  constructor(bindings: Partial<Record<`OIDC_${string}`, string>> = {}) {
    providers += 1;
    this.issuer = `https://id${providers}.acme.com`;
    this.env = {
      ...workerEnv,
      OIDC_ISSUER: this.issuer,
      OIDC_CLIENT_ID: "signpost",
      OIDC_CLIENT_SECRET: "s3cret/+ of ours",
      ...bindings,
    } as Env;
    vi.stubGlobal("fetch", (address: string, init: RequestInit) => this.#serve(address, init));
    onTestFinished(() => void vi.unstubAllGlobals());
  }

  /** Returns the number of requests for a path. */
  count(path: string): number {
    return this.received.filter((request) => request.path === path).length;
  }

  /** Metadata of a provider that requires pushed authorization requests. */
  get pushMetadata(): JsonObject {
    return {
      require_pushed_authorization_requests: true,
      pushed_authorization_request_endpoint: `${this.issuer}/push`,
    };
  }

  /**
   * Starts a sign-in in a browser, and stores the request to the provider. Returns the provider's URL, with
   * the parameters that the browser or the service sent.
   */
  async begin(jar: Jar, path = "/sign-in/oidc"): Promise<URL> {
    const response = await this.visit(path, jar);
    const location = response.headers.get("Location");
    if (location === null) throw new Error(`no redirect but ${response.status}: ${await response.text()}`);
    const address = new URL(location);
    const pushed = this.#pushed.get(address.searchParams.get("request_uri") ?? "");
    if (pushed !== undefined) address.search = pushed.toString();
    const get = (name: string) => address.searchParams.get(name) ?? "";
    this.#transaction = {
      nonce: get("nonce"),
      challenge: get("code_challenge"),
      redirectUri: get("redirect_uri"),
    };
    return address;
  }

  /** Sends a browser to the callback, as the provider does after a sign-in. */
  lead(jar: Jar, parameters: Record<string, string>): Promise<Response> {
    return this.visit(`/sign-in/callback?${new URLSearchParams({ code: "code", ...parameters })}`, jar);
  }

  /** Completes a whole sign-in. */
  async signIn(jar: Jar = new Map(), path?: string): Promise<Response> {
    const address = await this.begin(jar, path);
    return this.lead(jar, { state: address.searchParams.get("state") ?? "" });
  }

  /** Requests a page of the app host as a browser with these cookies. */
  async visit(path: string, jar: Jar, init: RequestInit = {}): Promise<Response> {
    const cookies = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = {
      ...(init.headers as Record<string, string>),
      ...(cookies !== "" && { Cookie: cookies }),
    };
    const response = await visitApp(new URL(path, APP).href, { ...init, headers }, this.env);
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === "") jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }

  async #serve(address: string, init: RequestInit): Promise<Response> {
    const { origin, pathname: path } = new URL(address);
    const body = new URLSearchParams(String(init.body ?? ""));
    this.received.push({ path, body, headers: new Headers(init.headers) });
    if (origin !== this.issuer) throw new Error(`a stranger is asked: ${address}`);
    const intercepted = await this.intercept(path, init);
    if (intercepted !== null) return intercepted;
    if (path === "/.well-known/openid-configuration") return Response.json(this.#buildMetadata());
    if (path === "/keys") return Response.json({ keys: await this.#listKeys() });
    if (path === "/push") return this.#keep(body);
    if (path === "/token") return this.#grant(body);
    if (path === "/userinfo") return Response.json(this.userInfo);
    return new Response(null, { status: 404 });
  }

  #buildMetadata(): JsonObject {
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      jwks_uri: `${this.issuer}/keys`,
      id_token_signing_alg_values_supported: Object.keys(KEYS),
      token_endpoint_auth_methods_supported: ["client_secret_post"],
      ...this.metadata,
    };
  }

  async #listKeys(): Promise<JsonObject[]> {
    const algorithm = this.algorithm === "none" || this.algorithm === "HS256" ? "ES256" : this.algorithm;
    return Promise.all(this.publishedKids.map(async (kid) => (await getKey(algorithm, kid)).jwk));
  }

  #keep(body: URLSearchParams): Response {
    const uri = `urn:ietf:params:oauth:request_uri:${this.#pushed.size}`;
    this.#pushed.set(uri, body);
    return Response.json({ request_uri: uri, expires_in: 60 }, { status: 201 });
  }

  async #grant(body: URLSearchParams): Promise<Response> {
    const { challenge, redirectUri } = this.#transaction;
    const isGranted =
      body.get("redirect_uri") === redirectUri &&
      (await calculatePKCECodeChallenge(body.get("code_verifier") ?? "")) === challenge;
    if (!isGranted) return Response.json({ error: "invalid_grant" }, { status: 400 });
    const token = this.tamper(await this.#sign());
    return Response.json({ access_token: "access", token_type: "Bearer", id_token: token, ...this.tokens });
  }

  async #sign(): Promise<string> {
    const seconds = Math.floor(Date.now() / 1_000);
    const claims = {
      iss: this.issuer,
      aud: "signpost",
      sub: "subject",
      nonce: this.#transaction.nonce,
      iat: seconds,
      exp: seconds + 300,
      ...this.claims,
    };
    const header = { alg: this.algorithm, kid: this.kid, ...this.header };
    const signed = `${encodeText(JSON.stringify(header))}.${encodeText(JSON.stringify(claims))}`;
    return `${signed}.${await this.#signText(signed)}`;
  }

  async #signText(text: string): Promise<string> {
    if (this.algorithm === "none") return "";
    const bytes = new TextEncoder().encode(text);
    const key =
      this.algorithm === "HS256"
        ? await crypto.subtle.importKey(
            "raw",
            new TextEncoder().encode("s3cret/+ of ours"),
            KEYS.HS256,
            false,
            ["sign"],
          )
        : (await getKey(this.algorithm, this.kid)).privateKey;
    return encode(new Uint8Array(await crypto.subtle.sign(KEYS[this.algorithm], key, bytes)));
  }
}
