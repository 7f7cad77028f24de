/** Values of a geo file. */
type Value = string | number | readonly Value[] | { readonly [name: string]: Value };

/**
 * Builds a geo file in the format of MaxMind, with the value of each IPv4 network, such as `203.0.113.0/24`.
 * See https://maxmind.github.io/MaxMind-DB/.
 */
export function buildGeoFile(networks: Readonly<Record<string, Value>>): Buffer {
  /** Both branches of each node: the index of a node, the negative offset of a value minus one, or null. */
  const nodes: [number | null, number | null][] = [[null, null]];
  const values: Buffer[] = [];
  for (const [network, value] of Object.entries(networks)) {
    const [address = "", length] = network.split("/");
    const bytes = address.split(".").map((byte) => Number(byte).toString(2).padStart(8, "0"));
    const bits = [...bytes.join("").slice(0, Number(length))].map(Number);
    let node = nodes[0];
    for (const [index, bit] of bits.entries()) {
      if (node === undefined) throw new Error(`${network} is in another network`);
      if (index === bits.length - 1) node[bit as 0 | 1] = -Buffer.concat(values).length - 1;
      else {
        node[bit as 0 | 1] ??= nodes.push([null, null]) - 1;
        node = nodes[node[bit as 0 | 1] as number];
      }
    }
    values.push(encode(value));
  }
  const tree = Buffer.alloc(nodes.length * 6);
  for (const [index, branch] of nodes.flat().entries()) {
    const record = branch === null ? nodes.length : branch < 0 ? nodes.length + 16 - branch - 1 : branch;
    tree.writeUIntBE(record, index * 3, 3);
  }
  const metadata = {
    ...{ node_count: nodes.length, record_size: 24, ip_version: 4, build_epoch: 1_800_000_000 },
    ...{ database_type: "Test-City", binary_format_major_version: 2, binary_format_minor_version: 0 },
    ...{ languages: ["en"], description: {} },
  };
  const marker = Buffer.from("\xab\xcd\xefMaxMind.com", "latin1");
  return Buffer.concat([tree, Buffer.alloc(16), ...values, marker, encode(metadata)]);
}

function encode(value: Value): Buffer {
  if (typeof value === "string") return Buffer.concat([encodeHead(2, value.length), Buffer.from(value)]);
  if (typeof value === "number") {
    const number = Buffer.alloc(4);
    number.writeUInt32BE(value);
    return Buffer.concat([encodeHead(6, 4), number]);
  }
  if (isList(value)) return Buffer.concat([Buffer.from([value.length, 4]), ...value.map(encode)]);
  const fields = Object.entries(value);
  return Buffer.concat([encodeHead(7, fields.length), ...fields.flat().map(encode)]);
}

function isList(value: object): value is readonly Value[] {
  return Array.isArray(value);
}

/** Encodes a type and a size below 29. */
function encodeHead(type: number, size: number): Buffer {
  return Buffer.from([(type << 5) | size]);
}
