import { graphSettled } from "../../graph/structural/settled.ts";
import type { Ground } from "../../ground.ts";
import { enqueuePurge } from "../../index/words/purge.ts";
import { recordOf } from "../../operation/record-of.ts";
import type { Transaction } from "../../store/store.ts";
import type { AskedBy, Audit } from "../audit/audit.ts";
import type { CheckResult, Diagnosis, Healing, SkippedFinding } from "./answers.ts";
import {
  type Check,
  type DiagnosticCategory,
  diagnosticCategories,
  type Finding,
  type Healed,
} from "./check.ts";

const mostIds = 20;
const mostDetails = 1_000;

interface Found {
  readonly check: Check;
  readonly finding: Finding;
}

/** Finds faults in the store and repairs those that have a `heal`. */
export class Diagnostics {
  readonly #ground: Ground;
  readonly #audit: Audit;
  readonly #checks: () => Promise<readonly Check[]>;

  constructor(ground: Ground, services: { readonly audit: Audit }, checks: () => Promise<readonly Check[]>) {
    this.#ground = ground;
    this.#audit = services.audit;
    this.#checks = checks;
  }

  async run(categories: readonly DiagnosticCategory[]): Promise<Diagnosis> {
    const wanted = wantedOf(categories);
    const found = await this.#find(wanted);
    const checks = wanted.flatMap((category) => {
      const own = found.filter(({ check }) => check.category === category);
      return own.length === 0 ? [passed(category)] : own.map(described);
    });
    const count = (status: CheckResult["status"]) => checks.filter((check) => check.status === status).length;
    return {
      checks,
      summary: {
        pass: count("pass"),
        warn: count("warn"),
        fail: count("fail"),
        fixable: checks.filter(({ fixable }) => fixable).length,
      },
    };
  }

  /**
   * Repairs everything in one transaction, because one repair may remove other findings. A dry run does the
   * same and rolls back. A finding that cannot be repaired counts as skipped.
   */
  async heal(categories: readonly DiagnosticCategory[], dryRun: boolean, by: AskedBy): Promise<Healing> {
    const found = await this.#find(wantedOf(categories));
    const curable = found.filter(({ check }) => check.heal !== undefined);
    // Nothing can be repaired in a read-only store, and the dry run says so.
    const isReadOnly = dryRun && this.#ground.store.isReadOnly;
    if (curable.length === 0 || isReadOnly) {
      const left = found.map((one) => skippedFinding(one, isReadOnly));
      return { fixed: 0, ...skippedOf(left), details: [], dryRun };
    }
    const work = async (tx: Transaction) => {
      const afterwards: (() => Promise<void>)[] = [];
      let fixed = 0;
      const skipped = found.filter(({ check }) => check.heal === undefined);
      const details: string[] = [];
      const cured: Found[] = [];
      for (const one of curable) {
        const { check, finding } = one;
        const healed: Healed = (await check.heal?.(tx)) ?? { details: [] };
        const count = healed.fixed ?? healed.details.length;
        if (healed.afterwards !== undefined) afterwards.push(healed.afterwards);
        if (healed.leavesTraces === true) await enqueuePurge(tx, this.#ground);
        if (count > 0) cured.push(one);
        else if ((await check.find(tx)) !== undefined) skipped.push(one);
        fixed += count;
        const lines = dryRun && count > 0 ? [finding.message] : healed.details;
        details.push(...lines.map((line) => `${check.name}: ${line}`));
      }
      if (fixed > 0) {
        const targetIds = cured.flatMap(({ finding }) => finding.ids ?? []);
        const details = { fixed, checks: cured.map(({ check }) => check.name) };
        const entry = { operation: "heal", functionId: "diagnostics.heal", targetIds, details } as const;
        await this.#audit.recordUnscoped(tx, by, entry);
      }
      const left = skipped.map((one) => skippedFinding(one));
      return { fixed, ...skippedOf(left), details: details.slice(0, mostDetails), afterwards };
    };
    const { afterwards, ...healing } = await this.#ground.store.write(work, {
      dryRun,
      dispensable: dryRun,
    });
    this.#ground.wakeJobs();
    if (!dryRun) for (const step of afterwards) await step();
    return { ...healing, dryRun };
  }

  async #find(categories: readonly DiagnosticCategory[]): Promise<Found[]> {
    await graphSettled(this.#ground);
    const wanted = (await this.#checks()).filter(({ category }) => categories.includes(category));
    const found: Found[] = [];
    // Checks read whole tables, so they use a view of their own, which keeps nobody waiting.
    const view = await this.#ground.store.openView();
    try {
      for (const check of wanted) {
        const finding = await check.find(view);
        if (finding !== undefined) found.push({ check, finding });
      }
    } finally {
      await view.close();
    }
    return found;
  }
}

function wantedOf(categories: readonly DiagnosticCategory[]): DiagnosticCategory[] {
  return diagnosticCategories.filter((category) => categories.length === 0 || categories.includes(category));
}

function passed(category: DiagnosticCategory): CheckResult {
  return { name: `${category}-ok`, category, status: "pass", message: "nothing is wrong", fixable: false };
}

const nothingHealed = {
  reason: "the repair found nothing that it could change",
  hint: "try again; if it stays, an earlier state may be in a snapshot: memsvc snapshot list",
};
const readOnly = {
  reason: "the store is read-only",
  hint: "heal where it can be written",
};

/** Why a finding was not repaired, and the way out. */
function skippedFinding({ check, finding }: Found, isReadOnly = false): SkippedFinding {
  const { name, category } = check;
  const { message, ids } = finding;
  return recordOf({ name, category, message, ...whyNot(check, isReadOnly), ids: ids?.slice(0, mostIds) });
}

function whyNot(check: Check, isReadOnly: boolean): Pick<SkippedFinding, "reason" | "hint"> {
  if (check.heal === undefined)
    return { reason: "only people can decide or do what is needed", hint: check.hint };
  return isReadOnly ? readOnly : (check.ifNothingHealed ?? nothingHealed);
}

function skippedOf(skippedFindings: SkippedFinding[]): Pick<Healing, "skipped" | "skippedFindings"> {
  return { skipped: skippedFindings.length, skippedFindings };
}

function described({ check, finding }: Found): CheckResult {
  const { status, message, ids, count } = finding;
  return recordOf({
    name: check.name,
    category: check.category,
    status,
    message,
    fixable: check.heal !== undefined,
    hint: check.hint,
    count: count ?? ids?.length,
    ids: ids?.slice(0, mostIds),
  });
}
