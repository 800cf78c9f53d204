import type { HttpBinding } from "../operation/define.ts";

/**
 * The order in which routes are registered, because the first that matches answers: those without a parameter come
 * first, so that `/memories/:id` does not answer for `/memories/oldest`, wherever the two are declared.
 */
export function inRouteOrder<Routed extends { readonly http?: Pick<HttpBinding, "path"> }>(
  operations: readonly Routed[],
): Routed[] {
  const hasParameter = ({ http }: Routed) => http?.path.includes(":") === true;
  return [
    ...operations.filter((operation) => !hasParameter(operation)),
    ...operations.filter((operation) => hasParameter(operation)),
  ];
}
