/** What the embedding thread loads together, when it is first asked for something. */
export { FeatureExtractor } from "./feature-extraction.ts";
export { ImageTower } from "./image-tower.ts";
export { limitProcessors } from "./runtime.ts";
export { TextTower } from "./text-tower.ts";
