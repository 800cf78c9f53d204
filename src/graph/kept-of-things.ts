/** How many other names of a node are kept. */
export const mostAliases = 50;

const mostBytes = 16_384;

/** Whether the properties of a node or an edge are no longer, as JSON, than is kept of them. */
export function propertiesFit(properties: Readonly<Record<string, unknown>>, most = mostBytes): boolean {
  return Buffer.byteLength(JSON.stringify(properties)) <= most;
}

/** The properties, or none of them where they are longer. */
export function fittingProperties(
  properties: Record<string, unknown>,
  most = mostBytes,
): Record<string, unknown> {
  return propertiesFit(properties, most) ? properties : {};
}
