/**
 * Software authenticator for passkeys: creates credentials with ES256 keys and signs with them, as WebAuthn Level 3
 * (https://www.w3.org/TR/webauthn-3/) describes. Its options are the faults that a test needs.
 */

/** Faults of an authenticator. */
export interface AuthenticatorFaults {
  origin?: string;
  relyingPartyId?: string;
  /** False if the person neither touched a sensor nor entered a PIN. */
  isUserVerified?: boolean;
  counter?: number;
  challenge?: string;
}

const FLAG_USER_PRESENT = 0x01;
const FLAG_USER_VERIFIED = 0x04;
const FLAG_ATTESTED = 0x40;

export class Authenticator {
  readonly #origin: string;
  readonly #id = crypto.getRandomValues(new Uint8Array(16));
  #userHandle = "";
  #keys: CryptoKeyPair | undefined;

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** Creates the credential, and returns its `toJSON()`. */
  async create(options: Record<string, unknown>, faults: AuthenticatorFaults = {}) {
    const { challenge, user } = options as { challenge: string; user: { id: string } };
    this.#userHandle = user.id;
    this.#keys = (await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
      "sign",
      "verify",
    ])) as CryptoKeyPair;
    const authData = await this.#buildData(faults, FLAG_ATTESTED, await this.#buildCredential());
    const attestation = encodeCbor(
      new Map<string, unknown>([
        ["fmt", "none"],
        ["attStmt", new Map()],
        ["authData", authData],
      ]),
    );
    return this.#wrap({
      clientDataJSON: this.#buildClientData("webauthn.create", challenge, faults),
      attestationObject: toBase64Url(attestation),
      transports: ["internal"],
    });
  }

  /** Signs a challenge with the credential, and returns its `toJSON()`. */
  async sign(options: Record<string, unknown>, faults: AuthenticatorFaults = {}) {
    const { challenge } = options as { challenge: string };
    const clientDataJSON = this.#buildClientData("webauthn.get", challenge, faults);
    const data = await this.#buildData(faults, 0, new Uint8Array());
    const hash = await sha256(fromBase64Url(clientDataJSON));
    if (this.#keys === undefined) throw new Error("create the credential first");
    const algorithm = { name: "ECDSA", hash: "SHA-256" };
    const raw = await crypto.subtle.sign(algorithm, this.#keys.privateKey, join(data, hash));
    return this.#wrap({
      clientDataJSON,
      authenticatorData: toBase64Url(data),
      signature: toBase64Url(toDer(new Uint8Array(raw))),
      userHandle: this.#userHandle,
    });
  }

  #wrap<Response>(response: Response) {
    const id = toBase64Url(this.#id);
    return { id, rawId: id, type: "public-key", response, clientExtensionResults: {} };
  }

  #buildClientData(type: string, challenge: string, faults: AuthenticatorFaults): string {
    const data = {
      ...{ type, challenge: faults.challenge ?? challenge, origin: faults.origin ?? this.#origin },
      crossOrigin: false,
    };
    return toBase64Url(new TextEncoder().encode(JSON.stringify(data)));
  }

  async #buildData(faults: AuthenticatorFaults, flag: number, rest: Uint8Array): Promise<Uint8Array> {
    const relyingPartyId = faults.relyingPartyId ?? new URL(this.#origin).hostname;
    const verified = faults.isUserVerified === false ? 0 : FLAG_USER_VERIFIED;
    const counter = new Uint8Array(4);
    new DataView(counter.buffer).setUint32(0, faults.counter ?? 0);
    const flags = new Uint8Array([FLAG_USER_PRESENT | verified | flag]);
    return join(await sha256(new TextEncoder().encode(relyingPartyId)), flags, counter, rest);
  }

  /** Builds the attested credential data: AAGUID, id and public key in COSE format (RFC 9053 section 2.1). */
  async #buildCredential(): Promise<Uint8Array> {
    if (this.#keys === undefined) throw new Error("the key is missing");
    const raw = new Uint8Array((await crypto.subtle.exportKey("raw", this.#keys.publicKey)) as ArrayBuffer);
    const key = new Map<number, unknown>([
      ...([
        [1, 2],
        [3, -7],
        [-1, 1],
      ] as const),
      ...([
        [-2, raw.subarray(1, 33)],
        [-3, raw.subarray(33, 65)],
      ] as const),
    ]);
    return join(new Uint8Array(16), new Uint8Array([0, this.#id.byteLength]), this.#id, encodeCbor(key));
  }
}

/** Encodes maps, texts, bytes and small integers as CBOR (RFC 8949). */
function encodeCbor(value: unknown): Uint8Array {
  if (typeof value === "number") return value < 0 ? encodeHead(1, -1 - value) : encodeHead(0, value);
  if (value instanceof Uint8Array) return join(encodeHead(2, value.byteLength), value);
  if (typeof value === "string") {
    const bytes = new TextEncoder().encode(value);
    return join(encodeHead(3, bytes.byteLength), bytes);
  }
  const entries = [...(value as Map<unknown, unknown>)];
  const parts = entries.flatMap(([key, item]) => [encodeCbor(key), encodeCbor(item)]);
  return join(encodeHead(5, entries.length), ...parts);
}

function encodeHead(majorType: number, count: number): Uint8Array {
  const type = majorType << 5;
  if (count < 24) return new Uint8Array([type | count]);
  if (count < 256) return new Uint8Array([type | 24, count]);
  return new Uint8Array([type | 25, count >> 8, count & 255]);
}

/** Converts a signature from r and s to DER (RFC 3279 section 2.2.3). */
function toDer(raw: Uint8Array): Uint8Array {
  const integers = [raw.subarray(0, 32), raw.subarray(32)].map((half) => {
    const start = half.findIndex((byte) => byte !== 0);
    const trimmed = half.subarray(start);
    const padded = (trimmed[0] ?? 0) > 127 ? join(new Uint8Array([0]), trimmed) : trimmed;
    return join(new Uint8Array([2, padded.byteLength]), padded);
  });
  const body = join(...integers);
  return join(new Uint8Array([0x30, body.byteLength]), body);
}

async function sha256(bytes: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new Uint8Array(bytes)));
}

function join(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.byteLength;
  }
  return joined;
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

function fromBase64Url(text: string): Uint8Array {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
