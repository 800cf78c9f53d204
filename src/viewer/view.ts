import type { Reader } from "./api.ts";
import type { Child } from "./element.ts";
import type { Route } from "./route.ts";

/** What a view shows; the title becomes its first heading. */
export interface Screen {
  readonly title: string;
  readonly body: Child;
}

export interface View {
  /** Name of the view in the address. */
  readonly name: string;
  /** Label in the navigation; absent for views of a single record. */
  readonly label?: string;
  /** Name of the view whose navigation entry is marked for this one. */
  readonly under?: string;
  readonly show: (reader: Reader, route: Route) => Promise<Screen>;
}
