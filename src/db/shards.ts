/** Bindings of the databases: the directory, and a shard for each `SHARD_{n}`. */
export interface DatabaseBindings {
  DIRECTORY: D1Database;
  SHARD_0: D1Database;
}

const SHARD_BINDING = /^SHARD_(0|[1-9]\d*)$/;

/** Error for a shard that the directory names and the configuration does not have. */
export class MissingShardError extends Error {
  constructor(shard: number) {
    super(`the binding SHARD_${shard} is missing: wrangler.toml must name the database of shard ${shard}`);
  }
}

/** Returns the numbers of the shards that the bindings have, in order. */
export function listShards(bindings: object): number[] {
  const numbers = Object.keys(bindings).flatMap((name) => SHARD_BINDING.exec(name)?.[1] ?? []);
  return numbers.map(Number).sort((one, other) => one - other);
}

/** Returns the database of a shard. Throws {@link MissingShardError}. */
export function getShard(bindings: DatabaseBindings, shard: number): D1Database {
  const name = `SHARD_${shard}`;
  const d1 = SHARD_BINDING.test(name) ? (bindings as unknown as Record<string, D1Database>)[name] : undefined;
  if (d1 === undefined) throw new MissingShardError(shard);
  return d1;
}

/** Returns the bindings with each of the databases replaced by what `wrap` returns for it. */
export function mapDatabases<Bindings extends DatabaseBindings>(
  bindings: Bindings,
  wrap: (d1: D1Database, name: string) => D1Database,
): Bindings {
  const names = ["DIRECTORY", ...listShards(bindings).map((shard) => `SHARD_${shard}`)];
  const databases = bindings as unknown as Record<string, D1Database>;
  const wrapped = names.map((name) => [name, wrap(databases[name] as D1Database, name)]);
  return { ...bindings, ...Object.fromEntries(wrapped) };
}
