/*
 * Which requirements close a cycle is asked one by one, in their order, of those before them that close none. Only
 * actions of one strongly connected component, all of which lead to each other, are in cycles, so most requirements
 * need no asking. For the others is looked from both ends at once: as soon as one end leads nowhere any more, there is
 * no way between them.
 */

/** That an action requires another. */
interface Ends {
  readonly source: string;
  readonly target: string;
}

/** From an action to one that it requires, by their numbers. */
type Step = readonly [source: number, target: number];

/** Those that close a cycle with earlier ones that close none. */
export function cycleClosing<Requirement extends Ends>(requirements: readonly Requirement[]): Requirement[] {
  const numbers = new Map<string, number>();
  const numberOf = (id: string) => {
    const number = numbers.get(id) ?? numbers.size;
    numbers.set(id, number);
    return number;
  };
  const steps = requirements.map(({ source, target }): Step => [numberOf(source), numberOf(target)]);
  const components = stronglyConnected(steps, numbers.size);
  const ways = new Ways();
  return requirements.filter((_, at) => {
    const [source, target] = steps[at] ?? [0, 0];
    if (components[source] !== components[target]) return false;
    if (ways.lead(target, source)) return true;
    ways.add([source, target]);
    return false;
  });
}

/** Steps, to be walked forth and back. */
class Ways {
  readonly #forth: number[][] = [];
  readonly #back: number[][] = [];
  /** By action, the last search that met it from either side: cheaper than new sets for each. */
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

  /** Whether a way leads from one action to the other. */
  lead(start: number, end: number): boolean {
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

/** By action, the component that it belongs to: actions that lead to each other share one (Kosaraju's two walks). */
function stronglyConnected(steps: readonly Step[], count: number): number[] {
  const ways = new Ways();
  for (const step of steps) ways.add(step);
  const components: number[] = [];
  for (const first of lastLeftFirst(ways, count)) {
    if (components[first] !== undefined) continue;
    components[first] = first;
    const component = [first];
    for (const action of component)
      for (const before of ways.to(action)) {
        if (components[before] !== undefined) continue;
        components[before] = first;
        component.push(before);
      }
  }
  return components;
}

/** All actions, those first that a walk which goes on as long as it can leaves last. */
function lastLeftFirst(ways: Ways, count: number): number[] {
  const left: number[] = [];
  const isMet = new Set<number>();
  const path: { readonly action: number; readonly rest: Iterator<number, undefined> }[] = [];
  const enter = (action: number) => {
    if (isMet.has(action)) return;
    isMet.add(action);
    path.push({ action, rest: ways.from(action).values() });
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
