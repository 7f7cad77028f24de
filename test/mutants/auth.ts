import { type Mutant, mutate } from "./tool/mutant.ts";

export const mutants: Mutant[] = [
  ...mutate(
    "src/auth/authorization.ts",
    "test/unit/authorization.test.ts",
    ["([A-Za-z0-9]{8", "([A-Za-z0-10]{8"],
    ["([A-Za-z0-9]{8", "([A-Za-z0-8]{8"],
    ["(match === null)", "(false)"],
    ["(header !== undefined)", "(false)"],
  ),
  ...mutate(
    "src/auth/key.ts",
    "test/unit/key.test.ts",
    ["PREFIX_LENGTH = 8", "PREFIX_LENGTH = 9"],
    ["PREFIX_LENGTH = 8", "PREFIX_LENGTH = 7"],
    ["SECRET_LENGTH = 64", "SECRET_LENGTH = 65"],
    ["SECRET_LENGTH = 64", "SECRET_LENGTH = 63"],
    ["ALL_SCOPES) ||", "ALL_SCOPES) &&"],
  ),
  ...mutate(
    "src/auth/known-keys.ts",
    "test/unit/verify-key.test.ts",
    ["MEMORY_MS = HOUR_MS", "MEMORY_MS = 2 * HOUR_MS"],
    ["MEMORY_MS = HOUR_MS", "MEMORY_MS = HOUR_MS / 2"],
    ["!== undefined &&", "!== undefined ||"],
    ["< key.verifiedAtMs", "<= key.verifiedAtMs"],
    ["KEYS_MAX_BYTES = 2_097_152", "KEYS_MAX_BYTES = 300"],
  ),
  ...mutate(
    "src/auth/verify-key.ts",
    "test/unit/verify-key.test.ts",
    ["if (row === null || !isEqualInConstantTime(row.secret_hash, hash)) {", "if (false) {"],
    ["row === null ||", "row === null &&"],
    ["(row.revoked_at !== null && row.revoked_at <= nowMs)", "(false)"],
    ["row.revoked_at <=", "row.revoked_at <"],
    ["(row.expires_at !== null && row.expires_at <= nowMs)", "(false)"],
    ["&& row.expires_at", "|| row.expires_at"],
    ["row.expires_at <=", "row.expires_at <"],
  ),
  ...mutate(
    "src/auth/known-keys.ts",
    "test/unit/verify-key.test.ts",
    ["MEMORY_MS = HOUR_MS", "MEMORY_MS = HOUR_MS + 1"],
    ["MEMORY_MS = HOUR_MS", "MEMORY_MS = HOUR_MS - 1"],
  ),
];
