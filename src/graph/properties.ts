const mostBytes = 16_384;

/** Whether the properties of a node or an edge are no longer, as JSON, than is kept of them. */
export function propertiesFit(properties: Readonly<Record<string, unknown>>, most = mostBytes): boolean {
  return Buffer.byteLength(JSON.stringify(properties)) <= most;
}
