/**
 * Handles a control request: runs statements in one transaction of a database, or performs an operation on a bucket.
 * Plain JavaScript, because commands also pass this file to workerd without bundling it.
 */
export async function handleControl(request, env) {
  const operation = new URL(request.url).searchParams.get("bucket");
  try {
    if (operation !== null) return await handleBucket(JSON.parse(operation), request, env);
    const { binding, statements } = await request.json();
    const database = env[binding];
    const prepare = ({ sql, values }) => database.prepare(sql).bind(...values);
    return Response.json(
      await database.batch(
        statements.map((statement) =>
          typeof statement === "string" ? database.prepare(statement) : prepare(statement),
        ),
      ),
    );
  } catch (error) {
    return new Response(error.message, { status: 422 });
  }
}

/** Lists, reads, writes or deletes files of a bucket. */
async function handleBucket({ bucket: binding, action, ...options }, request, env) {
  const bucket = env[binding];
  if (action === "list") {
    const { objects, cursor } = await bucket.list({
      cursor: options.cursor,
      prefix: options.prefix,
      include: ["httpMetadata", "customMetadata"],
    });
    const files = objects.map(({ key, size, etag, httpMetadata, customMetadata }) => ({
      key,
      size,
      etag,
      metadata: { httpMetadata, customMetadata },
    }));
    return Response.json({ files, cursor });
  }
  if (action === "get") {
    const file = await bucket.get(options.key, { onlyIf: { etagMatches: options.etag } });
    return new Response(file?.body ?? null, { status: file?.body ? 200 : 404 });
  }
  if (action === "delete") {
    await bucket.delete(options.keys);
    return new Response(null);
  }
  const { readable, writable } = new FixedLengthStream(options.size);
  const copied = request.body === null ? writable.close() : request.body.pipeTo(writable);
  await Promise.all([bucket.put(options.key, readable, options.metadata), copied]);
  return new Response(null);
}

/** Worker that only handles control requests. */
export default {
  async fetch(request, env) {
    if (request.headers.get(env.HEADER) !== env.SECRET) return new Response(null, { status: 404 });
    return handleControl(request, env);
  },
};
