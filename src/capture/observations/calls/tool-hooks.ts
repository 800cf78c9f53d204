/*
 * Hooks report a tool call twice, before and after it. Loaded by the fast path of the command line, so it
 * imports nothing.
 */

export const callBegin = "pre_tool_use";
export const callEnds = ["post_tool_use", "post_tool_failure"] as const;

/** Whether a tool call was carried out: a start alone may have been refused, or have failed. */
export function isCarriedOut({ hookType }: { readonly hookType: string }): boolean {
  return hookType !== callBegin;
}

/** Whether a hook reports a tool call, before or after it. */
export function reportsCall(hookType: string): boolean {
  return hookType === callBegin || reportsCallEnd(hookType);
}

/** Whether a hook reports the end of a tool call. */
export function reportsCallEnd(hookType: string): boolean {
  return callEnds.some((end) => end === hookType);
}
