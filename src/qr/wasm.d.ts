/** Declares the type of WebAssembly modules that wrangler imports. */
declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}
