import { afterEach, expect, test, vi } from "vitest";
import { describeError, logError } from "../../src/core/log.ts";

afterEach(() => void vi.restoreAllMocks());

const EMAIL = "ada.lovelace@example.com";
const KEY = `svc_pk_AbCd1234.${"x".repeat(64)}`;
const ADDRESS = "https://example.com/private?token=1";

/** Builds an error like those of Drizzle, whose message contains the bound parameters. */
function buildQueryError(params: unknown[], cause: Error): Error {
  const query = "select * from members where email = ?";
  return Object.assign(new Error(`Failed query: ${query}\nparams: ${params}`, { cause }), { query, params });
}

/** Returns the error that a function throws. */
function catchError(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

test.each<[string, unknown]>([
  ["of Drizzle", buildQueryError([EMAIL, KEY, ADDRESS], new Error("D1_ERROR: Network connection lost."))],
  ["of JSON", catchError(() => JSON.parse(`${EMAIL} ${KEY} ${ADDRESS}`))],
  ["of JSON with quotation marks", catchError(() => JSON.parse(`"a" "${EMAIL}" '${KEY}' "${ADDRESS}`))],
  ["of an address", catchError(() => new URL(`x ${EMAIL} ${ADDRESS}`))],
  ["of D1's types", new Error(`D1_TYPE_ERROR: Type 'object' not supported for value '${EMAIL}'`)],
  ["with a plain value", new Error(`cannot send to ${EMAIL} with ${KEY} at ${ADDRESS}`)],
  ["with a SCIM token", new Error(`refused ${KEY.replace("svc_pk_", "svc_scim_")} of ${EMAIL}`)],
  ["whose message forges a frame", new Error(`lost\n    at ${EMAIL} (${ADDRESS}:1:1)`)],
  ["that is no error", `${EMAIL} ${KEY} ${ADDRESS}`],
  [
    "wrapped twice",
    new Error("outer", { cause: new Error("inner", { cause: buildQueryError([EMAIL], new Error(KEY)) }) }),
  ],
])("the description of an error %s is one line without values", (_, error) => {
  const description = describeError(error);
  for (const value of [EMAIL, KEY, ADDRESS, "lovelace", "private", "x".repeat(9)])
    expect(description).not.toContain(value);
  expect(description).not.toMatch(/[\r\n]/);
});

test("the description of an error keeps its statement, its cause and where it was thrown", () => {
  const description = describeError(
    buildQueryError([EMAIL], new Error("D1_ERROR: Network connection lost.")),
  );
  expect(description).toContain("failed statement select * from members where email = ?");
  expect(description).toContain("; caused by Error: D1_ERROR: Network connection lost.");
  expect(description).toMatch(/ at \S/);
});

test("logError writes one bounded line of JSON, however long messages, statements and chains of causes are", () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  let error = new Error("é".repeat(1_000_000));
  for (let depth = 0; depth < 100; depth++) error = new Error("x@".repeat(500_000), { cause: error });
  const facts = { request_id: "r", workspace: undefined, operation: "createLink", status: 500 };
  logError("a request failed", error, facts);
  logError("a message");
  const lines = log.mock.calls.map(([line]) => String(line));
  expect(lines[0]?.length).toBeLessThanOrEqual(2_000);
  expect(JSON.parse(lines[0] as string)).toEqual({
    message: "a request failed",
    ...{ request_id: "r", operation: "createLink", status: 500 },
    error: expect.stringMatching(/^Error: .+; caused by /s),
  });
  expect(lines[1]).toBe('{"message":"a message"}');
});

/** Builds an error whose stack has only the given frames. */
function buildError(message: string, frames: number, cause?: unknown): Error {
  const stack = `Error: ${message}${"\n    at place (file.ts:1:1)".repeat(frames)}`;
  return Object.assign(new Error(message, { cause }), { stack });
}

test("a line has at most 2,000 characters, a message at most 500, and an error at most 700", () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  for (const length of [499, 500, 501]) logError("x".repeat(length));
  // A backslash takes two characters of the line.
  const long = buildError("\\".repeat(600), 0, buildError("\\".repeat(500), 0));
  logError("x", long);
  const lines = log.mock.calls.map(([line]) => String(line));
  expect(lines.map((line) => line.length).slice(0, 3)).toEqual([513, 514, 514]);
  expect(lines[3]?.length).toBeLessThanOrEqual(2_000);
  expect(JSON.parse(lines[3] as string)).toHaveProperty("error");
  const describe = (length: number) => describeError(buildError("é".repeat(length), 0)).length;
  expect([692, 693, 694, 2_000].map(describe)).toEqual([699, 700, 700, 700]);
});

test("a description has at most four causes and eight frames", () => {
  let error: Error | undefined;
  const counts = [1, 2, 3, 4, 5, 6].map((depth) => {
    error = buildError(`depth ${depth}`, 0, error);
    return describeError(error).split("; caused by ").length;
  });
  expect(counts).toEqual([1, 2, 3, 4, 4, 4]);
  const countFrames = (frames: number) =>
    describeError(buildError("lost", frames)).split(" at place").length - 1;
  expect([0, 7, 8, 9].map(countFrames)).toEqual([0, 7, 8, 8]);
});

test("an error without a message keeps its frames", () => {
  expect(describeError(buildError("", 1))).toBe("Error:  at place (file.ts:1:1)");
});
