import type { Reader } from "./api.ts";
import type { Child } from "./element.ts";
import type { Route } from "./route.ts";

/** What a view puts on the page; its first heading is made of the title. */
export interface Screen {
  readonly title: string;
  readonly body: Child;
}

export interface View {
  /** The part of the address that names it. */
  readonly name: string;
  /** In the navigation; absent for views of one record, which stand under another's entry. */
  readonly label?: string;
  /** Name of the view under whose entry it stands. */
  readonly under?: string;
  readonly show: (reader: Reader, route: Route) => Promise<Screen>;
}
