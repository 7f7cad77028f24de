import type { FC } from "hono/jsx";
import type { Operation } from "../../http/operation.ts";

/** Guide on the reference page. */
export interface Guide {
  /** Fragment of the guide's URL on the reference page. */
  id: string;
  title: string;
  Body: FC<GuideProps>;
}

/** URLs of the deployment without a path, for examples that can be pasted into a shell. */
export interface Addresses {
  apiUrl: string;
  bioUrl: string;
  cdnUrl: string;
  appUrl: string;
}

export interface GuideProps extends Addresses {
  operations: readonly Operation[];
}
