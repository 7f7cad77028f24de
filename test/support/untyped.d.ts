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

declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  interface Context {
    path: string;
    req: IncomingMessage;
    body: unknown;
    type: string;
    oidc: { client: { clientId: string }; session: { accountId: string } };
  }
  export default class Provider {
    constructor(issuer: string, configuration: object);
    Grant: new (properties: {
      clientId: string;
      accountId: string;
    }) => { addOIDCScope(scope: string): void; save(): Promise<string> };
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): void;
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
  }
}
