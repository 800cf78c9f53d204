import { env, InferenceSession, type InferenceSession as Session, Tensor } from "onnxruntime-node";

/*
 * The build puts this in the place of `onnxruntime-node` for the model library, which starts every session with
 * a thread on each processor. A memory that works in the background leaves some to the work it remembers.
 */

let processors = 1;

/** How many processors a session may use that is made from now on. */
export function limitProcessors(count: number): void {
  processors = count;
}

/** Why the last session could not be made. */
let refusal: unknown;

const bounded = {
  create: async (model: Uint8Array, options: Session.SessionOptions): Promise<Session> => {
    // The library then tries again with WebAssembly, which is not there: the first reason is the one that tells.
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
