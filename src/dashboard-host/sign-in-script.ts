import { entries } from "../../dist/dashboard/files.js";
import { STATIC_PATH } from "./serve-dashboard.ts";

/** Path of the script that signs people in with passkeys. */
export const SIGN_IN_SCRIPT_PATH = `${STATIC_PATH}${entries.signIn}`;
