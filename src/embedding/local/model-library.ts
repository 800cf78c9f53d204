/** Everything that the embedding thread loads at its first task. */
export { FeatureExtractor } from "./feature-extraction.ts";
export { ImageTower } from "./image-tower.ts";
export { limitProcessors } from "./runtime.ts";
export { TextTower } from "./text-tower.ts";
