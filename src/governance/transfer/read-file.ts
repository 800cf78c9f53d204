import { isObject } from "../../json/is-object.ts";
import type { JsonParts, JsonPath } from "../../json/json-splitter.ts";
import { type Issue, MemsvcError } from "../../operation/errors.ts";
import { issuesOf, maxIssues, withFieldPath } from "../../operation/parse.ts";
import { withoutNulls } from "../../operation/without-nulls.ts";
import type { ImportedCollection } from "./collection.ts";
import { collections } from "./collections.ts";
import { type ImportStrategy, importStrategies } from "./strategies.ts";
import type { Warnings } from "./warnings.ts";

const byName: ReadonlyMap<string, ImportedCollection> = new Map(collections.map((one) => [one.name, one]));
const headFields: ReadonlySet<string> = new Set(["version", "exportedAt", "pagination"]);

/** The head of a file. */
export interface FileHead {
  readonly strategy: ImportStrategy;
  readonly dryRun: boolean;
  /** The collections that the file has, even if they are empty. */
  readonly present: ReadonlySet<string>;
}

interface RowTaker {
  /**
   * The only collection whose rows are checked and taken, wherever they are nested; if undefined, all are
   * checked.
   */
  readonly only?: string;
  /** Receives each valid row. */
  readonly take?: (name: string, row: unknown) => void;
  /** Unknown fields that have been reported already. */
  readonly reported?: Set<string>;
}

/** Parses the body of an import and checks its rows. */
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

  /** Notes a member of the data, also one that somebody else reads. */
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

  /** The head, once the whole file was read. Error: invalid_input with the first faults. */
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
      // `refuseFaults` has thrown for anything but a boolean.
      dryRun: dryRun !== false,
      present: this.#present,
    };
  }

  #openData(): void {
    if (this.#hasData) this.#fault(["exportData"], "is given twice");
    this.#hasData = true;
  }

  /** A member that is not a list of rows: part of the head, or a fault. */
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
    // Modifies the value in place: nobody else has it, and copying takes longer than the check.
    const row = isHeld ? given : Object.assign(given, { sessionId: path[2] });
    if (this.#isWanted(name)) this.#check(own, path, row);
    const { nested } = own;
    const home = nested && byName.get(nested.collection);
    if (home === undefined || !this.#isWanted(home.name)) return;
    for (const inner of nested?.of(row) ?? []) {
      this.#check(
        home,
        [...path, "summary"],
        withoutNulls(home.schema, inner) as Readonly<Record<string, unknown>>,
      );
    }
  }

  #isWanted(name: string): boolean {
    const { only } = this.#taker;
    return only === undefined || only === name;
  }

  #check(own: ImportedCollection, path: JsonPath, row: Readonly<Record<string, unknown>>): void {
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

  /** Error: invalid_input with the first faults, if any were found. */
  refuseFaults(): void {
    const issues = this.#issues.slice(0, maxIssues);
    const [first] = issues;
    if (first === undefined) return;
    throw new MemsvcError("invalid_input", `nothing was imported; ${withFieldPath(first)}`, { issues });
  }
}

function isStrategy(value: unknown): value is ImportStrategy {
  return importStrategies.some((one) => one === value);
}
