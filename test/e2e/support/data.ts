import { expect } from "vitest";

/** Expects a status and returns the `data` of the JSON envelope. */
export async function expectData<Data>(responding: Promise<Response>, status = 200): Promise<Data> {
  const response = await responding;
  const body = await response.text();
  expect(response.status, body).toBe(status);
  return (JSON.parse(body) as { data: Data }).data;
}
