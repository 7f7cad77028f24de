/** WebAssembly modules, as wrangler imports them. */
declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}
