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

const bounded = {
  create: (model: Uint8Array, options: Session.SessionOptions): Promise<Session> =>
    InferenceSession.create(model, { ...options, intraOpNumThreads: processors, interOpNumThreads: 1 }),
};

export default { env, Tensor, InferenceSession: bounded };
