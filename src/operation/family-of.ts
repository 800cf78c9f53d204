/** The family of an operation: `leases` for `leases.acquire`. */
export function familyOf(operationId: string): string {
  return operationId.split(".", 1)[0] ?? operationId;
}
