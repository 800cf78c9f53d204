/** A module of its own, so that it can be loaded when a text needs it. */
export { default as truncatedWidth } from "fast-string-truncated-width";
