import { formatCodeList } from "../../routing/code-list.ts";
import type { SignpostClient } from "../client.ts";
import { type ImportTarget, TargetError } from "./import-target.ts";

const HTTP_FORBIDDEN = 403;

/** Pending call of the typed client. */
type Call<Body> = Promise<{ data?: Body; error?: unknown; response: Response }>;

/**
 * Returns an import target that calls the service through a typed client. The client must retry temporary
 * failures. A client from `createSignpostClient` does so; any other client needs a `fetch` that retries.
 */
export function createApiTarget(client: Pick<SignpostClient, "GET" | "POST">): ImportTarget {
  return {
    async readWorkspaceId() {
      const { data } = await settle(client.GET("/v1/workspace"));
      return data.id;
    },
    async servesApi() {
      try {
        const { data } = await settle(client.GET("/v1/domains"));
        return data.some(({ serves_api }) => serves_api);
      } catch (error) {
        // Without the scope to read domains, the creation of the links finds out.
        if (error instanceof TargetError && error.status === HTTP_FORBIDDEN) return false;
        throw error;
      }
    },
    async findCodes(codes) {
      const query = { codes: formatCodeList(codes), archived: "all" as const, limit: codes.length };
      const { data } = await settle(client.GET("/v1/links", { params: { query } }));
      return data;
    },
    async createLinks(links) {
      const { data } = await settle(client.POST("/v1/links/bulk", { body: { links: [...links] } }));
      return data;
    },
  };
}

/** Waits for a call and returns its body. Throws a {@link TargetError} with the service's error message. */
async function settle<Body>(call: Call<Body>): Promise<Body> {
  const result = await call.catch((error: Error & { cause?: { code?: string } }) => {
    throw new TargetError(0, "", `can't reach the service: ${error.cause?.code ?? error.message}`);
  });
  if (result.response.ok && result.data !== undefined) return result.data;
  const { status } = result.response;
  const { error } = (result.error ?? {}) as { error?: { code?: string; message?: string } };
  throw new TargetError(status, error?.code ?? "", error?.message ?? `the service returned ${status}`);
}
