/** A WebAssembly module, as wrangler imports it. */
declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}
