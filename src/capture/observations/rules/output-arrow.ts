/** Between a tool's input and its output in the narrative of an observation. */
export const outputArrow = " → ";
