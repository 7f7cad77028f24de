/** Functions that are only loaded when codes are created, because they contain the CSV library and the renderer. */
export { decodeFile } from "../../../client/import/file-text.ts";
export { readPrintItems, toPrintItem } from "../../../client/print/print-items.ts";
export { writeCodes } from "../../../client/print/write-codes.ts";
