/*
 * The only place that creates elements. Text becomes text nodes and attribute values, never markup. Nothing that could
 * run or load code can be created: no `on…` or `style` attribute, no URL but http(s) and fragments of this page, no
 * script, frame or image. So stored text is only ever displayed.
 */

export type Child = Node | string | number | false | null | undefined | readonly Child[];

type Listener = (event: Event) => void;

export interface Attributes {
  readonly [name: string]: string | number | boolean | undefined | Readonly<Record<string, Listener>>;
  /** Event listeners, by event name. */
  readonly listen?: Readonly<Record<string, Listener>>;
}

const tags = new Set(
  (
    "a button code datalist dd details div dl dt form h1 h2 h3 header input label li main meter nav ol option p pre " +
    "section select small span strong summary table tbody td th thead time tr ul"
  ).split(" "),
);
const drawingTags = new Set("svg a circle g line text title".split(" "));
const attributes = new Set(
  (
    "autocomplete class cx cy datetime for hidden href id list max min name placeholder r required role scope " +
    "selected spellcheck stroke-width tabindex text-anchor title type value viewBox x x1 x2 y y1 y2"
  ).split(" "),
);
const safeAddress = /^(?:#|https?:\/\/)/u;

/** Creates an HTML element. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  given: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  if (!tags.has(tag)) throw new Error(`the page makes no ${tag}`);
  return filled(document.createElement(tag), given, children);
}

/** Creates an SVG element. */
export function svgElement<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  given: Attributes = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[Tag] {
  if (!drawingTags.has(tag)) throw new Error(`the page draws no ${tag}`);
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), given, children);
}

/** Replaces the children of an element. */
export function refill(element: Element, ...children: readonly Child[]): void {
  element.replaceChildren(...children.flatMap(nodesOf));
}

function filled<Made extends Element>(
  element: Made,
  { listen = {}, ...given }: Attributes,
  children: readonly Child[],
): Made {
  for (const [name, value] of Object.entries(given)) setAttribute(element, name, value);
  for (const [name, listener] of Object.entries(listen)) element.addEventListener(name, listener);
  refill(element, ...children);
  return element;
}

function setAttribute(element: Element, name: string, value: Attributes[string]): void {
  if (value === undefined || value === false) return;
  if (!attributes.has(name) && !/^(?:aria|data)-[a-z-]+$/u.test(name))
    throw new Error(`the page sets no attribute ${name}`);
  const text = value === true ? "" : String(value);
  if (name === "href" && !safeAddress.test(text)) throw new Error("the page links to no such address");
  element.setAttribute(name, text);
}

function nodesOf(child: Child): (Node | string)[] {
  if (child === undefined || child === null || child === false) return [];
  if (child instanceof Node) return [child];
  return Array.isArray(child) ? child.flatMap(nodesOf) : [String(child)];
}
