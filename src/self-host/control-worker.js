/**
 * Runs all statements of a control request in one transaction of a database. Plain JavaScript, because commands also
 * pass this file to workerd without bundling it.
 */
export async function handleControl(request, env) {
  const { binding, statements } = await request.json();
  const database = env[binding];
  try {
    return Response.json(await database.batch(statements.map((statement) => database.prepare(statement))));
  } catch (error) {
    return new Response(error.message, { status: 422 });
  }
}

/** Worker that only handles control requests. */
export default {
  async fetch(request, env) {
    if (request.headers.get(env.HEADER) !== env.SECRET) return new Response(null, { status: 404 });
    return handleControl(request, env);
  },
};
