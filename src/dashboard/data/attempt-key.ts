import { useRef } from "preact/hooks";

/** Returns the `Idempotency-Key` for a request body. */
export type GetAttemptKey = (body: string) => string;

/**
 * Assigns an `Idempotency-Key` to each request body of a form. Sending the same body again, for example after
 * a lost response, uses the same key, so that nothing is created twice.
 */
export function useAttemptKey(): GetAttemptKey {
  const keys = useRef(new Map<string, string>());
  return (body) => {
    const key = keys.current.get(body) ?? crypto.randomUUID();
    keys.current.set(body, key);
    return key;
  };
}
