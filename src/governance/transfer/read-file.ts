import { isObject } from "../../json/is-object.ts";
import type { JsonParts, JsonPath } from "../../json/json-splitter.ts";
import { type Issue, MemsvcError } from "../../operation/errors.ts";
import { issuesOf, maxIssues, withPlace } from "../../operation/parse.ts";
import { withoutNulls } from "../../operation/without-nulls.ts";
import type { Collection } from "./collection.ts";
import { collections } from "./collections.ts";
import { type ImportStrategy, importStrategies } from "./strategies.ts";
import type { Warnings } from "./warnings.ts";

const byName: ReadonlyMap<string, Collection> = new Map(collections.map((one) => [one.name, one]));
const headFields: ReadonlySet<string> = new Set(["version", "exportedAt", "pagination"]);

/** What a file says of itself. */
export interface FileHead {
  readonly strategy: ImportStrategy;
  readonly dryRun: boolean;
  /** Collections that the file has, be it without rows. */
  readonly present: ReadonlySet<string>;
}

interface RowTaker {
  /** The collection whose rows alone are checked and taken, whichever rows carry them; without it all are checked. */
  readonly only?: string;
  /** Takes a row that is right. */
  readonly take?: (name: string, row: unknown) => void;
  /** Unknown fields that were reported before. */
  readonly reported?: Set<string>;
}

/** Takes the body of an import apart and checks its rows. */
export class FileReader implements JsonParts {
  readonly #warnings: Warnings;
  readonly #taker: RowTaker;
  readonly #reported: Set<string>;
  readonly #issues: Issue[] = [];
  readonly #present = new Set<string>();
  #strategy: unknown = "merge";
  #dryRun: unknown = false;
  #hasData = false;
  #hasVersion = false;

  constructor(warnings: Warnings, taker: RowTaker = {}) {
    this.#warnings = warnings;
    this.#taker = taker;
    this.#reported = taker.reported ?? new Set();
  }

  descends(path: JsonPath, kind: "object" | "array"): boolean {
    const [first, name] = path;
    if (path.length === 0) return kind === "object";
    if (first !== "exportData") return false;
    if (path.length === 1) return kind === "object";
    if (name === "observations")
      return path.length === 2 ? kind === "object" : path.length === 3 && kind === "array";
    return path.length === 2 && kind === "array" && !headFields.has(String(name));
  }

  opened(path: JsonPath): void {
    if (path.length === 1) this.#openData();
    if (path.length === 2) {
      const name = String(path[1]);
      this.noteMember(name);
      if (!byName.has(name)) this.#unknownCollection(name);
    }
  }

  /** Notes that the data have a member, whoever reads it. */
  noteMember(name: string): void {
    if (this.#present.has(name)) this.#fault(["exportData", name], "is given twice");
    this.#present.add(name);
  }

  value(path: JsonPath, value: unknown): void {
    const [first, name] = path;
    if (first === "strategy") this.#strategy = value ?? "merge";
    if (first === "dryRun") this.#dryRun = value ?? false;
    if (first !== "exportData") {
      if (path.length === 0) this.#fault([], "must be an object");
      return;
    }
    if (path.length === 1) this.#fault(path, "must be an object");
    else if (path.length === 2) this.#member(String(name), value);
    else this.#row(String(name), path, value);
  }

  /** What the whole file says of itself. Error: invalid_input with the first faults. */
  head(): FileHead {
    if (!this.#hasData && this.#issues.length === 0) this.#fault(["exportData"], "exportData required");
    const strategy = this.#strategy;
    if (!isStrategy(strategy)) this.#fault(["strategy"], "must be merge, replace or skip");
    const dryRun = this.#dryRun;
    if (typeof dryRun !== "boolean") this.#fault(["dryRun"], "must be true or false");
    this.refuseFaults();
    if (!this.#hasVersion) this.#warnings.add("the file names no version");
    return {
      strategy: isStrategy(strategy) ? strategy : "merge",
      // What is neither was refused above.
      dryRun: dryRun !== false,
      present: this.#present,
    };
  }

  #openData(): void {
    if (this.#hasData) this.#fault(["exportData"], "is given twice");
    this.#hasData = true;
  }

  /** A member that is no list of rows: the head of the file, or not what it should be. */
  #member(name: string, value: unknown): void {
    if (name === "version") {
      this.#hasVersion = true;
      if (typeof value !== "string") this.#fault(["exportData", name], "must be a string");
    } else if (byName.has(name) && value !== null) {
      const wanted = name === "observations" ? "an object" : "an array";
      this.#fault(["exportData", name], `must be ${wanted}`);
    } else if (!byName.has(name) && !headFields.has(name)) this.#unknownCollection(name);
  }

  #unknownCollection(name: string): void {
    this.#warnings.add(`${name}: an unknown collection was left out`);
  }

  #row(name: string, path: JsonPath, value: unknown): void {
    const own = byName.get(name);
    if (own === undefined) return;
    if (name === "observations" && path.length === 3) {
      this.#fault(path, "must be an array");
      return;
    }
    if (!isObject(value)) {
      this.#fault(path, "must be an object");
      return;
    }
    const given = withoutNulls(own.schema, value) as Readonly<Record<string, unknown>>;
    const isHeld = name !== "observations" || Object.hasOwn(given, "sessionId");
    // Nobody else has the value, and a copy takes longer than its check.
    const row = isHeld ? given : Object.assign(given, { sessionId: path[2] });
    if (this.#isWanted(name)) this.#check(own, path, row);
    const { strays } = own;
    const home = strays && byName.get(strays.collection);
    if (home === undefined || !this.#isWanted(home.name)) return;
    for (const stray of strays?.of(row) ?? []) {
      this.#check(
        home,
        [...path, "summary"],
        withoutNulls(home.schema, stray) as Readonly<Record<string, unknown>>,
      );
    }
  }

  #isWanted(name: string): boolean {
    const { only } = this.#taker;
    return only === undefined || only === name;
  }

  #check(own: Collection, path: JsonPath, row: Readonly<Record<string, unknown>>): void {
    const checked = own.schema.safeParse(row);
    if (!checked.success) {
      const above = path.join(".");
      for (const { path: below, message } of issuesOf(checked.error, row)) {
        const place = below === "" ? above : `${above}.${below}`;
        this.#issues.push({ path: place, message });
      }
      if (this.#issues.length >= maxIssues) this.refuseFaults();
      return;
    }
    if (this.#issues.length === 0) this.#taker.take?.(own.name, checked.data);
    for (const field of Object.keys(row)) {
      if (own.fields.has(field)) continue;
      const kind = `${own.name}.${field}`;
      if (this.#reported.has(kind) || this.#reported.size > 1_000) continue;
      this.#reported.add(kind);
      this.#warnings.add(`${kind}: an unknown field was left out`);
    }
  }

  #fault(path: JsonPath, message: string): void {
    this.#issues.push({ path: path.join("."), message });
    if (this.#issues.length >= maxIssues) this.refuseFaults();
  }

  /** Error: invalid_input with the first faults that were found, if there are any. */
  refuseFaults(): void {
    const issues = this.#issues.slice(0, maxIssues);
    const [first] = issues;
    if (first === undefined) return;
    throw new MemsvcError("invalid_input", `nothing was imported; ${withPlace(first)}`, { issues });
  }
}

function isStrategy(value: unknown): value is ImportStrategy {
  return importStrategies.some((one) => one === value);
}
