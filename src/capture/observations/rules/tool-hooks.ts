/* Hooks tell a tool call twice, before and after it ran. Loaded by the fast path of the command line, so it imports nothing. */

export const callBegin = "pre_tool_use";
export const callEnds = ["post_tool_use", "post_tool_failure"] as const;

/** Whether a tool call was made, as far as one knows: its begin alone may have been refused, or have failed. */
export function isCarriedOut({ hookType }: { readonly hookType: string }): boolean {
  return hookType !== callBegin;
}

/** Whether a hook tells of a tool call, before or after it ran. */
export function tellsCall(hookType: string): boolean {
  return hookType === callBegin || tellsCallEnd(hookType);
}

/** Whether a hook tells how a tool call ended. */
export function tellsCallEnd(hookType: string): boolean {
  return callEnds.some((end) => end === hookType);
}
