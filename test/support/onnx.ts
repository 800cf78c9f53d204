/*
 * Writes ONNX models. ONNX is protobuf: fields of a number and a wire type, 0 for integers and 2 for everything with a length.
 */

export const float = 1;
export const int64 = 7;

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest % 128) | 128);
    rest = Math.floor(rest / 128);
  }
  return Buffer.from([...bytes, rest]);
}

export function field(number: number, content: number | string | Buffer): Buffer {
  if (typeof content === "number") return Buffer.concat([varint(number * 8), varint(content)]);
  const bytes = Buffer.from(content);
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);
}

export function message(...fields: readonly Buffer[]): Buffer {
  return Buffer.concat(fields);
}

export function tensor(name: string, type: number, shape: readonly number[], data: ArrayBufferLike): Buffer {
  const dimensions = shape.map((size) => field(1, size));
  return message(...dimensions, field(2, type), field(8, name), field(9, Buffer.from(data)));
}

export function node(
  operator: string,
  inputs: readonly string[],
  output: string,
  attribute?: Buffer,
): Buffer {
  const attributes = attribute === undefined ? [] : [field(5, attribute)];
  return message(
    ...inputs.map((name) => field(1, name)),
    field(2, output),
    field(4, operator),
    ...attributes,
  );
}

export function port(name: string, type: number, shape: readonly (string | number)[]): Buffer {
  const dimensions = shape.map((size) =>
    field(1, typeof size === "string" ? field(2, size) : field(1, size)),
  );
  return message(
    field(1, name),
    field(2, field(1, message(field(1, type), field(2, message(...dimensions))))),
  );
}

/** A model file of one graph, for version 13 of the operators. */
export function modelOf(graph: Buffer): Buffer {
  return message(
    field(1, 8),
    field(2, "memsvc"),
    field(7, graph),
    field(8, message(field(1, ""), field(2, 13))),
  );
}
