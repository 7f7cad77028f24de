import { useRef } from "preact/hooks";

/** Returns the `Idempotency-Key` of a body. */
export type GetAttemptKey = (body: string) => string;

/**
 * Gives each body of a form an `Idempotency-Key` of its own. Sending the same body again, as after a lost response, is the
 * same attempt, so that nothing is made twice.
 */
export function useAttemptKey(): GetAttemptKey {
  const keys = useRef(new Map<string, string>());
  return (body) => {
    const key = keys.current.get(body) ?? crypto.randomUUID();
    keys.current.set(body, key);
    return key;
  };
}
