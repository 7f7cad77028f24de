import { expect, test } from "vitest";
import { formatBytes } from "../../src/core/byte-size.ts";

test.each([
  [0, "0 bytes"],
  [1, "1 byte"],
  [1_023, "1023 bytes"],
  [1_024, "1 KiB"],
  [1_536, "1.5 KiB"],
  [32_768, "32 KiB"],
  [1_000_000, "976.6 KiB"],
  [1_048_576, "1 MiB"],
  [104_857_600, "100 MiB"],
  [1_073_741_824, "1 GiB"],
  [10_240 * 1_048_576, "10 GiB"],
  [2 ** 50, "1024 TiB"],
])("formatBytes(%i) returns %s", (sizeBytes, expected) => {
  expect(formatBytes(sizeBytes)).toBe(expected);
});
