import type { FC } from "hono/jsx";

/** Guide on the reference page. */
export interface Guide {
  /** Fragment of its URL. */
  id: string;
  title: string;
  Body: FC<GuideProps>;
}

export interface GuideProps {
  /** Base URL of the API, for examples that can be pasted into a shell. */
  apiUrl: string;
}
