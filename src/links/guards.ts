import { createValidationError } from "../core/error.ts";
import { findOutboundProblem } from "../core/outbound.ts";
import { hashPassword, verifyPassword } from "../core/password-hash.ts";
import { sleep } from "../core/timeout.ts";
import { buildOutboundPolicy, isCdnHost } from "../tenant/own-hosts.ts";
import type { Tenant } from "../tenant/tenant.ts";
import type { LinkInput } from "./link-input.ts";

/** Fields of a link that guard its destination. */

type GuardInput = Pick<LinkInput, "password" | "preview">;

/**
 * Throws `VALIDATION_ERROR` if the outbound guard rejects the URL of a preview image. Signpost doesn't fetch
 * the image itself, but the services that show the preview do. Files on the deployment's own CDN are allowed.
 */
export function rejectPreviewImage({ settings, workspace }: Tenant, { preview }: GuardInput): void {
  const address = preview?.image_url;
  if (address == null) return;
  const { allowLoopback, isOwn } = buildOutboundPolicy(settings, new Set(workspace.hostnames));
  const isOther = (url: URL) => isOwn(url) && !isCdnHost(settings, url);
  const problem = findOutboundProblem(address, { allowLoopback, isOwn: isOther });
  if (problem !== null) throw createValidationError({ field: "preview.image_url", message: problem });
}

/** Replaces the input's password by its hash, so that no other code handles the password. */
export async function hashInputPassword<Input extends GuardInput>(input: Input): Promise<Input> {
  return input.password == null ? input : { ...input, password: await hashPassword(input.password) };
}

/**
 * Like {@link hashInputPassword}, for one of many inputs. Hashing is slow, so other requests of the isolate get a turn
 * after a hash.
 */
export async function hashInTurn<Input extends GuardInput>(input: Input): Promise<Input> {
  const hashed = await hashInputPassword(input);
  if (input.password != null) await sleep(0);
  return hashed;
}

/** Returns true if a password matches a stored hash, or if both are null. */
export async function isStoredPassword(password: string | null, hash: string | null): Promise<boolean> {
  return password === null || hash === null ? password === hash : verifyPassword(password, hash);
}
