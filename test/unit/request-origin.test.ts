import { expect, test } from "vitest";
import { ApiError } from "../../src/core/error.ts";
import { deriveId, recover } from "../../src/tenant/request-origin.ts";

const REQUEST_ID = "01a1fd70-f1c0-7c3b-9f6e-2b8f3c1d4e5f";
const first = { origin: { requestId: REQUEST_ID, isRetry: false } };
const retry = { origin: { requestId: REQUEST_ID, isRetry: true } };

test("each resource of a request has a unique id, which a retry derives again", () => {
  const ids = [0, 1, 2].map((ordinal) => deriveId(first, ordinal));
  expect(new Set(ids).size).toBe(3);
  expect([0, 1, 2].map((ordinal) => deriveId(retry, ordinal))).toEqual(ids);
  expect(deriveId(first)).toBe(ids[0]);
  expect(deriveId({ origin: { requestId: REQUEST_ID.replace("01a1", "01a2"), isRetry: false } })).not.toBe(
    ids[0],
  );
});

test("only a retry recovers a resource that an earlier attempt created", async () => {
  const find = async (_: unknown, id: string) => ({ id });
  expect(await recover(first, find)).toBeNull();
  expect(await recover(retry, find)).toEqual({ id: deriveId(retry) });
  expect(await recover(retry, find, "other")).toEqual({ id: "other" });
});

test("a retry whose earlier attempt created nothing recovers nothing, and other errors are still thrown", async () => {
  const failWith = (error: Error) => recover(retry, () => Promise.reject(error));
  expect(await failWith(new ApiError("RESOURCE_NOT_FOUND", "The link does not exist."))).toBeNull();
  await expect(failWith(new ApiError("SLUG_TAKEN", "taken"))).rejects.toThrow("taken");
  await expect(failWith(new Error("D1 is down"))).rejects.toThrow("D1 is down");
});
