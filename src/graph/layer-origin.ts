import { type LayerOrigin, layerOrigins } from "./record.ts";

/** The surest of those who made some rows. */
export function surestOrigin(rows: readonly { readonly origin: LayerOrigin }[]): LayerOrigin {
  return layerOrigins[Math.max(...rows.map(({ origin }) => layerOrigins.indexOf(origin)))] ?? "import";
}

/** Those who are less sure. */
export function outrankedBy(origin: LayerOrigin): readonly LayerOrigin[] {
  return layerOrigins.slice(0, layerOrigins.indexOf(origin));
}
