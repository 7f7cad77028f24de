declare module "qrcode-svg" {
  interface Options {
    content: string;
    ecl: "L" | "M" | "Q" | "H";
    padding: number;
    width: number;
    height: number;
    join?: boolean;
    swap?: boolean;
    xmlVersion?: boolean;
    container?: "svg" | "svg-viewbox" | "g" | "none";
  }
  export default class QrcodeSvg {
    constructor(options: Options);
    svg(): string;
  }
}
