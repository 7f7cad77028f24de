/** Style sheet of a component. Its classes only exist where the sheet is imported. A test checks their names. */
declare module "*.module.css" {
  const classes: Readonly<Record<string, string>>;
  export default classes;
}
