import { env, InferenceSession, type InferenceSession as Session, Tensor } from "onnxruntime-node";

/*
 * The build gives the model library this module in place of `onnxruntime-node`. The library would let every session use
 * all processors; a service in the background should leave some to the user's own work.
 */

let processors = 1;

/** Sets how many processors each session may use that is made from now on. */
export function limitProcessors(count: number): void {
  processors = count;
}

/** Why the last session could not be made. */
let refusal: unknown;

const bounded = {
  create: async (model: Uint8Array, options: Session.SessionOptions): Promise<Session> => {
    // After a failure the library tries WebAssembly, which we do not have. The first error is the useful one.
    if (refusal !== undefined && options.executionProviders?.join() === "wasm") throw refusal;
    try {
      const bounds = { intraOpNumThreads: processors, interOpNumThreads: 1 };
      return await InferenceSession.create(model, { ...options, ...bounds });
    } catch (error) {
      refusal = error;
      throw error;
    }
  },
};

export default { env, Tensor, InferenceSession: bounded };
