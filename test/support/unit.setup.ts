import { checkLeftovers } from "./leftovers.ts";

checkLeftovers({ "process.env": process.env, "crypto.subtle": crypto.subtle });
