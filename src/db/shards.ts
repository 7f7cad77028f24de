/** Database bindings: the directory, and one `SHARD_{n}` per shard. */
export interface DatabaseBindings {
  DIRECTORY: D1Database;
  SHARD_0: D1Database;
}

const SHARD_BINDING = /^SHARD_(0|[1-9]\d*)$/;

/** Thrown if the directory refers to a shard that has no binding. */
export class MissingShardError extends Error {
  constructor(shard: number) {
    super(`the binding SHARD_${shard} is missing: wrangler.toml must name the database of shard ${shard}`);
  }
}

/** Returns the numbers of all bound shards in ascending order. */
export function listShards(bindings: object): number[] {
  const numbers = Object.keys(bindings).flatMap((name) => SHARD_BINDING.exec(name)?.[1] ?? []);
  return numbers.map(Number).sort((one, other) => one - other);
}

/** Returns a shard's database. Throws {@link MissingShardError}. */
export function getShard(bindings: DatabaseBindings, shard: number): D1Database {
  const name = `SHARD_${shard}`;
  const d1 = SHARD_BINDING.test(name) ? (bindings as unknown as Record<string, D1Database>)[name] : undefined;
  if (d1 === undefined) throw new MissingShardError(shard);
  return d1;
}

/** Returns the bindings with each database replaced by the result of `wrap`. */
export function mapDatabases<Bindings extends DatabaseBindings>(
  bindings: Bindings,
  wrap: (d1: D1Database, name: string) => D1Database,
): Bindings {
  const names = ["DIRECTORY", ...listShards(bindings).map((shard) => `SHARD_${shard}`)];
  const databases = bindings as unknown as Record<string, D1Database>;
  const wrapped = names.map((name) => [name, wrap(databases[name] as D1Database, name)]);
  return { ...bindings, ...Object.fromEntries(wrapped) };
}
