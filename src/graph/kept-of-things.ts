/** At most this many aliases of a node are stored. */
export const mostAliases = 50;

const mostBytes = 16_384;

/** Whether the properties of a node or an edge, as JSON, are within the limit in bytes. */
function propertiesFit(properties: Readonly<Record<string, unknown>>, most = mostBytes): boolean {
  return Buffer.byteLength(JSON.stringify(properties)) <= most;
}

/** The properties, or none of them when they are over the limit. */
export function fittingProperties(
  properties: Record<string, unknown>,
  most = mostBytes,
): Record<string, unknown> {
  return propertiesFit(properties, most) ? properties : {};
}

/** The properties with further ones of the same thing, or without these when they would be over the limit together. */
export function unitedProperties(
  properties: Readonly<Record<string, unknown>>,
  further: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const united = { ...further, ...properties };
  return propertiesFit(united) ? united : properties;
}
