import { fromBase64, hmacSha256, toBase64 } from "../core/crypto.ts";
import { type SealKey, seal, unseal } from "../core/seal.ts";
import { generateSecret } from "../webhooks/signature.ts";

/**
 * Signing secrets of webhooks in the archive of a workspace. Each installation encrypts them with its own key, so they
 * travel encrypted with a passphrase. Without a passphrase, they don't travel, and the import generates new ones.
 */

/** Iterations of PBKDF2-HMAC-SHA-256 as recommended by OWASP (Password Storage Cheat Sheet). */
const ROUNDS = 600_000;
const IV_BYTES = 12;
/** Text whose encryption shows whether a passphrase is the archive's. */
const CHECK = "signpost";
/** Value of a secret that can't be read. The dashboard asks to rotate it. */
const UNREADABLE = "unreadable";

const encoder = new TextEncoder();

/** Encrypts and decrypts the secrets of one workspace with a passphrase. */
export class Passphrase {
  readonly #aes: CryptoKey;
  readonly #mac: Uint8Array;

  private constructor(aes: CryptoKey, mac: Uint8Array) {
    this.#aes = aes;
    this.#mac = mac;
  }

  static async derive(passphrase: string, workspaceId: string): Promise<Passphrase> {
    const material = await crypto.subtle.importKey("raw", encoder.encode(passphrase), "PBKDF2", false, [
      "deriveBits",
    ]);
    const salt = encoder.encode(`signpost export of workspace ${workspaceId}`);
    const parameters = { name: "PBKDF2", hash: "SHA-256", salt, iterations: ROUNDS };
    const bits = new Uint8Array(await crypto.subtle.deriveBits(parameters, material, 512));
    const aes = await crypto.subtle.importKey("raw", bits.subarray(0, 32), "AES-GCM", false, [
      "encrypt",
      "decrypt",
    ]);
    return new Passphrase(aes, bits.subarray(32));
  }

  /**
   * Encrypts a text for a record. The same text always gets the same result, so that two exports are equal: the
   * initialization vector is derived from the text, as in AES-GCM-SIV (RFC 8452).
   */
  async encrypt(text: string, recordId: string): Promise<string> {
    const iv = (await hmacSha256(this.#mac, `${recordId}\n${text}`)).slice(0, IV_BYTES);
    const bytes = await crypto.subtle.encrypt(buildAlgorithm(iv, recordId), this.#aes, encoder.encode(text));
    return toBase64(new Uint8Array([...iv, ...new Uint8Array(bytes)]));
  }

  /** Throws if the text was encrypted with another passphrase or for another record. */
  async decrypt(encrypted: string, recordId: string): Promise<string> {
    const bytes = fromBase64(encrypted);
    const algorithm = buildAlgorithm(bytes.slice(0, IV_BYTES), recordId);
    return new TextDecoder().decode(await crypto.subtle.decrypt(algorithm, this.#aes, bytes.slice(IV_BYTES)));
  }

  /** Returns the value for the manifest by which {@link isRight} recognises this passphrase. */
  buildCheck(): Promise<string> {
    return this.encrypt(CHECK, CHECK);
  }

  isRight(check: string): Promise<boolean> {
    return this.decrypt(check, CHECK).then(
      () => true,
      () => false,
    );
  }
}

function buildAlgorithm(iv: Uint8Array<ArrayBuffer>, recordId: string) {
  return { name: "AES-GCM", iv, additionalData: encoder.encode(recordId) };
}

/** Secrets of an endpoint, as its row has them. */
interface EndpointSecrets {
  secret: string | null;
  /** JSON of the replaced secrets. */
  previous_secrets: string;
}

interface ReplacedSecret {
  secret: string;
  until: number;
}

/**
 * Encrypts an endpoint's secrets with a passphrase. `key` decrypts them. Without both, or if a secret can't be read, the
 * result has no secrets.
 */
export async function packSecrets(
  id: string,
  { secret, previous_secrets: previous }: EndpointSecrets,
  key: SealKey | null,
  passphrase: Passphrase | null,
): Promise<EndpointSecrets> {
  const none = { secret: null, previous_secrets: "[]" };
  if (key === null || passphrase === null || secret === null) return none;
  const convert = async (sealed: string) => passphrase.encrypt(await unseal(key, sealed, id), id);
  try {
    return { secret: await convert(secret), previous_secrets: await convertPrevious(previous, convert) };
  } catch {
    return none;
  }
}

/**
 * Encrypts an endpoint's secrets with the key of this installation. Generates and returns a new secret if the archive has
 * none or there is no passphrase. Without a key, the endpoint's secret can't be read until it is rotated.
 */
export async function unpackSecrets(
  id: string,
  { secret, previous_secrets: previous }: EndpointSecrets,
  key: SealKey | null,
  passphrase: Passphrase | null,
): Promise<EndpointSecrets & { created: string | null }> {
  if (key === null) return { secret: UNREADABLE, previous_secrets: "[]", created: null };
  if (passphrase === null || secret === null) {
    const created = generateSecret();
    return { secret: await seal(key, created, id), previous_secrets: "[]", created };
  }
  const convert = async (encrypted: string) => seal(key, await passphrase.decrypt(encrypted, id), id);
  return {
    secret: await convert(secret),
    previous_secrets: await convertPrevious(previous, convert),
    created: null,
  };
}

async function convertPrevious(
  previous: string,
  convert: (secret: string) => Promise<string>,
): Promise<string> {
  const replaced: ReplacedSecret[] = JSON.parse(previous);
  const converted = replaced.map(async ({ secret, until }) => ({ secret: await convert(secret), until }));
  return JSON.stringify(await Promise.all(converted));
}
