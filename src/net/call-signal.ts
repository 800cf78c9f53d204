/**
 * A signal that aborts a call after `timeoutMs`, or when `other` is aborted. Call `release` when the call has ended.
 * Not AbortSignal.timeout, whose timer does not keep the process alive: in Node 20 fetch never settles if the server
 * accepts the connection and hangs up, and the process would end with exit code 0 in the middle of the call. Nor
 * AbortSignal.any, whose result may be garbage-collected in Node 20 before it fires, so that the call never ends.
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
