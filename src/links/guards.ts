import { createValidationError } from "../core/error.ts";
import { findOutboundFault } from "../core/outbound.ts";
import { hashPassword, verifyPassword } from "../core/password-hash.ts";
import { isCdnHost, outboundPolicy } from "../tenant/own-hosts.ts";
import type { Tenant } from "../tenant/tenant.ts";
import type { LinkInput } from "./link-input.ts";

/** Rules for the fields of a link that stand between a visitor and its destination. */

type GuardInput = Pick<LinkInput, "password" | "preview">;

/**
 * Throws `VALIDATION_ERROR` if the image of a preview has an address that the outbound guard rejects. The service does not
 * fetch it; those who show the preview do. A file of this service's CDN is as good as any.
 */
export function rejectPreviewImage({ settings, workspace }: Tenant, { preview }: GuardInput): void {
  const address = preview?.image_url;
  if (address == null) return;
  const { allowLoopback, isOwn } = outboundPolicy(settings, new Set(workspace.hostnames));
  const isOther = (url: URL) => isOwn(url) && !isCdnHost(settings, url);
  const fault = findOutboundFault(address, { allowLoopback, isOwn: isOther });
  if (fault !== null) throw createValidationError({ field: "preview.image_url", message: fault });
}

/** Returns the input with the hash of its password in the place of the password, which nothing else may see. */
export async function hashInputPassword<Input extends GuardInput>(input: Input): Promise<Input> {
  return input.password == null ? input : { ...input, password: await hashPassword(input.password) };
}

/** Returns true if a stored hash is that of the given password, or if both are missing. */
export async function isStoredPassword(password: string | null, hash: string | null): Promise<boolean> {
  return password === null || hash === null ? password === hash : verifyPassword(password, hash);
}
