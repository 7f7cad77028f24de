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

declare module "qrcode" {
  interface Options {
    type: "svg" | "png";
    errorCorrectionLevel: "L" | "M" | "Q" | "H";
    margin: number;
    scale?: number;
  }
  const QRCode: {
    toString(content: string, options: Options): Promise<string>;
    toBuffer(content: string, options: Options): Promise<Uint8Array>;
  };
  export default QRCode;
}
