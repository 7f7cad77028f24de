import * as z from "zod";
import { deletedResponse } from "../http/fields.ts";
import { defineRoute, type Route } from "../http/operation.ts";
import { tenantFor } from "../http/request-tenant.ts";
import {
  createdKeyResponse,
  formatCreatedKey,
  formatKeyResponse,
  keyResponse,
  keyRotation,
  newKey,
} from "./keys.schema.ts";
import { createKey, listKeys, revokeKey, rotateKey } from "./keys.ts";

const common = { tag: "Keys", rateLimit: "A", scope: "keys" } as const;

const list = defineRoute(
  {
    ...common,
    id: "listKeys",
    summary: "List the API keys of the workspace, newest first",
    method: "get",
    path: "/v1/keys",
    data: z.array(keyResponse),
  },
  async (c) => ({ data: (await listKeys(tenantFor(c))).map(formatKeyResponse) }),
);

const create = defineRoute(
  {
    ...common,
    id: "createKey",
    summary: "Create an API key",
    description: "The key is only returned in this response. A workspace can have up to 100 active keys.",
    method: "post",
    path: "/v1/keys",
    body: newKey,
    status: 201,
    data: createdKeyResponse,
    errors: ["KEY_LIMIT_EXCEEDED"],
  },
  async (c, { body: { name, scopes, expires_at: expiresAt = null } }) => ({
    data: formatCreatedKey(await createKey(tenantFor(c), { name, scopes, expiresAt })),
  }),
);

const rotate = defineRoute(
  {
    ...common,
    id: "rotateKey",
    summary: "Rotate an API key",
    description:
      "The new key has the same name, scopes and expiry. The old key stops working immediately, or after `overlap_hours`. The new key is only returned in this response.",
    method: "post",
    path: "/v1/keys/:key_id/rotate",
    body: keyRotation,
    isBodyOptional: true,
    status: 201,
    data: createdKeyResponse,
    errors: ["KEY_LIMIT_EXCEEDED", "KEY_NOT_ACTIVE"],
  },
  async (c, { body }) => ({
    data: formatCreatedKey(await rotateKey(tenantFor(c), c.req.param("key_id") ?? "", body.overlap_hours)),
  }),
);

const revoke = defineRoute(
  {
    ...common,
    id: "revokeKey",
    summary: "Revoke an API key",
    description: "The key stops working immediately. It stays in the list, with `revoked_at`.",
    method: "delete",
    path: "/v1/keys/:key_id",
    worksDuringMove: true,
    data: deletedResponse,
  },
  async (c) => {
    const id = c.req.param("key_id") ?? "";
    await revokeKey(tenantFor(c), id);
    return { data: { id, deleted: true as const } };
  },
);

export const keyRoutes: Route[] = [list, create, rotate, revoke];
