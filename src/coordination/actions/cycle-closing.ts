/*
 * Finds the requirements that close a cycle. They are looked at in order: one closes a cycle if the
 * requirements kept before it already lead from its target to its source. Cycles exist only within a strongly
 * connected component (actions that can all reach each other), so most requirements need no search. For the
 * others the search runs from both ends at once, and stops as soon as one end has nothing left to visit: then
 * there is no path.
 */

/** The two ends of an edge of the type `requires`. */
interface Ends {
  readonly source: string;
  readonly target: string;
}

/** An edge from an action to one that it requires, by their numbers. */
type Step = readonly [source: number, target: number];

/** The requirements that close a cycle with the earlier ones that are kept. */
export function cycleClosing<Requirement extends Ends>(requirements: readonly Requirement[]): Requirement[] {
  const numbers = new Map<string, number>();
  const numberOf = (id: string) => {
    const number = numbers.get(id) ?? numbers.size;
    numbers.set(id, number);
    return number;
  };
  const steps = requirements.map(({ source, target }): Step => [numberOf(source), numberOf(target)]);
  const components = stronglyConnected(steps, numbers.size);
  const graph = new Graph();
  return requirements.filter((_, at) => {
    const [source, target] = steps[at] ?? [0, 0];
    if (components[source] !== components[target]) return false;
    if (graph.hasPath(target, source)) return true;
    graph.add([source, target]);
    return false;
  });
}

/** A graph of actions whose edges can be followed in both directions. */
class Graph {
  readonly #forth: number[][] = [];
  readonly #back: number[][] = [];
  /**
   * By action, the number of the last search that visited it from the start or from the end: cheaper than two
   * new sets for each search.
   */
  readonly #metFromStart: number[] = [];
  readonly #metFromEnd: number[] = [];
  #search = 0;

  add([source, target]: Step): void {
    addTo(this.#forth, source, target);
    addTo(this.#back, target, source);
  }

  from(action: number): readonly number[] {
    return this.#forth[action] ?? [];
  }

  to(action: number): readonly number[] {
    return this.#back[action] ?? [];
  }

  /** Whether there is a path from `start` to `end`. */
  hasPath(start: number, end: number): boolean {
    if (start === end) return true;
    this.#search += 1;
    const search = this.#search;
    const [metFromStart, metFromEnd] = [this.#metFromStart, this.#metFromEnd];
    const [ahead, behind] = [[start], [end]];
    metFromStart[start] = search;
    metFromEnd[end] = search;
    for (let at = 0; ; at += 1) {
      const [next, before] = [ahead[at], behind[at]];
      if (next === undefined || before === undefined) return false;
      for (const action of this.from(next)) {
        if (metFromEnd[action] === search) return true;
        if (metFromStart[action] === search) continue;
        metFromStart[action] = search;
        ahead.push(action);
      }
      for (const action of this.to(before)) {
        if (metFromStart[action] === search) return true;
        if (metFromEnd[action] === search) continue;
        metFromEnd[action] = search;
        behind.push(action);
      }
    }
  }
}

function addTo(lists: number[][], at: number, action: number): void {
  const list = lists[at];
  if (list === undefined) lists[at] = [action];
  else list.push(action);
}

/**
 * The component of each action: actions that can reach each other share one (Kosaraju's algorithm, in two
 * traversals).
 */
function stronglyConnected(steps: readonly Step[], count: number): number[] {
  const graph = new Graph();
  for (const step of steps) graph.add(step);
  const components: number[] = [];
  for (const first of reversePostorder(graph, count)) {
    if (components[first] !== undefined) continue;
    components[first] = first;
    const component = [first];
    for (const action of component)
      for (const before of graph.to(action)) {
        if (components[before] !== undefined) continue;
        components[before] = first;
        component.push(before);
      }
  }
  return components;
}

/** All actions in reverse postorder of a depth-first search: the action that is left last comes first. */
function reversePostorder(graph: Graph, count: number): number[] {
  const left: number[] = [];
  const isMet = new Set<number>();
  const path: { readonly action: number; readonly rest: Iterator<number, undefined> }[] = [];
  const enter = (action: number) => {
    if (isMet.has(action)) return;
    isMet.add(action);
    path.push({ action, rest: graph.from(action).values() });
  };
  for (let start = 0; start < count; start += 1) {
    enter(start);
    for (let at = path.at(-1); at !== undefined; at = path.at(-1)) {
      const next = at.rest.next();
      if (next.done !== true) enter(next.value);
      else left.push(path.pop()?.action ?? at.action);
    }
  }
  return left.reverse();
}
