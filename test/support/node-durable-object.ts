/** Replaces the module `cloudflare:workers` in tests that run in Node: the base class of Durable Objects. */
export class DurableObject<Bindings = unknown> {
  readonly ctx: DurableObjectState;
  readonly env: Bindings;

  constructor(ctx: DurableObjectState, env: Bindings) {
    this.ctx = ctx;
    this.env = env;
  }
}
