/** What the embedding thread loads together, when it is first asked for something. */
export { FeatureExtractor } from "./feature-extraction.ts";
export { limitProcessors } from "./runtime.ts";
