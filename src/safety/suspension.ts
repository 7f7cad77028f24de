import { ApiError } from "../core/error.ts";

/** Returns the error for a change in a workspace that an administrator has suspended. */
export function createSuspendedError(): ApiError {
  return new ApiError(
    "WORKSPACE_SUSPENDED",
    "The administrator of this service has suspended the workspace. It can be read but not changed.",
  );
}
