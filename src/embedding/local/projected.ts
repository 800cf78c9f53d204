import { Tensor } from "@xenova/transformers";
import { isContainer } from "../../json/is-object.ts";
import { unitVector } from "../unit-vector.ts";

/** The output of a network with the given name, as a unit vector. */
export function projected(output: unknown, name: string): Float32Array {
  const found = isContainer(output) ? output[name] : undefined;
  if (!(found instanceof Tensor)) throw new Error(`the model gives no ${name}`);
  const vector = unitVector(Float32Array.from(found.data as Float32Array));
  if (vector === undefined) throw new Error("the model gives a vector without a direction");
  return vector;
}
