/**
 * A signal that stops a call when its time is over or the other one says so. `release` when the call is over.
 * Not AbortSignal.timeout, which keeps no process alive: fetch in Node 20 never settles where the other side accepts
 * and hangs up, and the process would end, with 0, in the middle of it. Nor AbortSignal.any over it: what nothing else
 * refers to may be collected in Node 20 before it has fired, and then the call never ends.
 */
export function callSignal(
  timeoutMs: number,
  other?: AbortSignal,
): { readonly signal: AbortSignal; readonly release: () => void } {
  const controller = new AbortController();
  const stop = () => controller.abort(new DOMException("the call was withdrawn", "AbortError"));
  const timer = setTimeout(
    () => controller.abort(new DOMException(`no answer in ${timeoutMs} ms`, "TimeoutError")),
    timeoutMs,
  );
  if (other?.aborted) stop();
  other?.addEventListener("abort", stop);
  return {
    signal: controller.signal,
    release: () => {
      clearTimeout(timer);
      other?.removeEventListener("abort", stop);
    },
  };
}
