// Pure: no I/O, clock or randomness.

/** Kinds of messages that the Worker sends to itself. */
export const MESSAGE_KINDS = ["scans", "page-hits", "deliveries"] as const;

export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** Information in a queue's name: the kind of its messages, and whether it is a dead-letter queue. */
export interface QueueName {
  kind: MessageKind;
  isDead: boolean;
}

/**
 * Parses the name of a queue. Only looks at the end, such as `-scans`, `-scans-spare` or `-scans-dead`,
 * because the beginning is the name of the environment. Returns null for other names.
 */
export function parseQueueName(name: string): QueueName | null {
  const [, kindName, role] = /(?:^|-)(scans|page-hits|deliveries)(?:-(spare|dead))?$/.exec(name) ?? [];
  const kind = MESSAGE_KINDS.find((known) => known === kindName);
  return kind === undefined ? null : { kind, isDead: role === "dead" };
}
