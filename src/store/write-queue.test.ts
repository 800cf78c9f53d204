import { describe, expect, test } from "vitest";
import type { Driver, OpenTransaction } from "./driver.ts";
import type { SqlValue } from "./sql.ts";
import { WriteQueue } from "./write-queue.ts";

const nothing = { changes: 0 };

/** A driver that stores nothing, records its calls, and fails where it is told to. */
class ScriptedDriver implements Pick<Driver, "begin" | "reconnect"> {
  readonly kind = "file";
  readonly asked: string[] = [];
  readonly reader = {
    all: async () => [],
    values: async () => [],
    run: async () => nothing,
  };
  /** Errors that the next uses raise, first come first served. */
  beginErrors: Error[] = [];
  commitErrors: Error[] = [];
  #isOpen = false;

  async begin(): Promise<OpenTransaction> {
    const error = this.beginErrors.shift();
    this.asked.push(error === undefined ? "begin" : "begin fails");
    if (error !== undefined) throw error;
    this.#isOpen = true;
    const isOpen = () => this.#isOpen;
    return {
      ...this.reader,
      run: async (text: string, _args?: readonly SqlValue[]) => {
        this.asked.push(text);
        return nothing;
      },
      commit: async () => {
        const failure = this.commitErrors.shift();
        this.asked.push(failure === undefined ? "commit" : "commit fails");
        if (failure !== undefined) throw failure;
        this.#isOpen = false;
      },
      rollback: async () => {
        this.asked.push("rollback");
        this.#isOpen = false;
      },
      leaveToCommit: () => {},
      foreignVersion: async () => undefined,
      get isOpen() {
        return isOpen();
      },
    };
  }

  /** As SQLite does when the disk is full. */
  loseTransaction(): void {
    this.#isOpen = false;
  }

  reconnect(): void {
    this.asked.push("reconnect");
  }

  close(): void {}

  count(what: string): number {
    return this.asked.filter((text) => text === what).length;
  }
}

function busy(): Error {
  return Object.assign(new Error("database is locked"), { code: "SQLITE_BUSY" });
}

function queueOver(driver: ScriptedDriver) {
  return new WriteQueue<OpenTransaction>(
    driver,
    (open) => open,
    async () => undefined,
    (error) => error,
  );
}

describe("group commit", () => {
  test("gives writes that wait together one commit, and each its own result", async () => {
    const driver = new ScriptedDriver();
    const queue = queueOver(driver);
    const results = await Promise.all(Array.from({ length: 10 }, (_, at) => queue.write(async () => at)));
    expect(results).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect([driver.count("begin"), driver.count("commit")]).toEqual([1, 1]);
  });

  test("limits a group to 64 writes", async () => {
    const driver = new ScriptedDriver();
    const queue = queueOver(driver);
    await Promise.all(Array.from({ length: 130 }, () => queue.write(async () => undefined)));
    expect(driver.count("commit")).toBe(3);
  });

  test("answers no write before the commit", async () => {
    const driver = new ScriptedDriver();
    await queueOver(driver)
      .write(async () => undefined)
      .then(() => driver.asked.push("answered"));
    expect(driver.asked.slice(-2)).toEqual(["commit", "answered"]);
  });

  test("answers a dry run after rolling back its own transaction", async () => {
    const driver = new ScriptedDriver();
    const queue = queueOver(driver);
    const work = (name: string) => (open: OpenTransaction) => open.run(name).then(() => name);
    const results = await Promise.all([
      queue.write(work("one")),
      queue.write(work("tried"), { dryRun: true }),
      queue
        .write(work("tried alone"), { alone: true, dryRun: true })
        .finally(() => driver.asked.push("told")),
      queue.write(work("two"), { dryRun: false }),
    ]);
    expect(results).toEqual(["one", "tried", "tried alone", "two"]);
    const tried = ["begin", "tried", "rollback", "begin", "tried alone", "rollback", "told"];
    expect(driver.asked).toEqual(["begin", "one", "commit", ...tried, "begin", "two", "commit"]);
  });

  test("runs writes one after another, in the order of their arrival", async () => {
    const queue = queueOver(new ScriptedDriver());
    const order: string[] = [];
    const work = (name: string) => async () => {
      order.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      order.push(`${name} ends`);
    };
    await Promise.all([queue.write(work("a")), queue.write(work("b"))]);
    expect(order).toEqual(["a begins", "a ends", "b begins", "b ends"]);
  });

  test("settled also waits for writes that arrive meanwhile", async () => {
    const queue = queueOver(new ScriptedDriver());
    const done: string[] = [];
    const first = queue.write(async () => {
      queue.write(async () => done.push("second")).catch(() => undefined);
      done.push("first");
    });
    await queue.settled();
    expect(done).toEqual(["first", "second"]);
    await first;
  });
});

describe("a write that fails", () => {
  test("is undone alone, and the others of its group are kept", async () => {
    const driver = new ScriptedDriver();
    const queue = queueOver(driver);
    const outcomes = await Promise.allSettled([
      queue.write(async () => "kept"),
      queue.write(async () => {
        throw new Error("no");
      }),
      queue.write(async () => "kept too"),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect([driver.count("rollback"), driver.count("ROLLBACK TO work"), driver.count("commit")]).toEqual([
      1, 1, 1,
    ]);
  });

  test("leaves the queue usable", async () => {
    const queue = queueOver(new ScriptedDriver());
    await expect(queue.write(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
    await expect(queue.write(async () => "yes")).resolves.toBe("yes");
  });
});

describe("a database that another process has locked", () => {
  test("is tried again over new connections until it is free", async () => {
    const driver = new ScriptedDriver();
    driver.beginErrors = [busy(), busy()];
    let runs = 0;
    await queueOver(driver).write(async () => {
      runs += 1;
    });
    expect([runs, driver.count("reconnect"), driver.count("commit")]).toEqual([1, 2, 1]);
  });

  test("at the commit makes the whole group run again", async () => {
    const driver = new ScriptedDriver();
    driver.commitErrors = [busy()];
    const runs: string[] = [];
    const queue = queueOver(driver);
    await Promise.all(["a", "b"].map((name) => queue.write(async () => runs.push(name))));
    expect(runs).toEqual(["a", "b", "a", "b"]);
    expect(driver.count("rollback")).toBe(1);
  });

  test("for too long fails the whole group after eight retries, but no later write", async () => {
    const driver = new ScriptedDriver();
    driver.beginErrors = Array.from({ length: 9 }, busy);
    const queue = queueOver(driver);
    const outcomes = await Promise.allSettled([queue.write(async () => 1), queue.write(async () => 2)]);
    expect(outcomes).toMatchObject([
      { status: "rejected", reason: { code: "SQLITE_BUSY" } },
      { status: "rejected", reason: { code: "SQLITE_BUSY" } },
    ]);
    expect(driver.count("begin fails")).toBe(9);
    await expect(queue.write(async () => 3)).resolves.toBe(3);
  });

  test("is tried once for a dispensable write, unless that shares a transaction with others", async () => {
    const driver = new ScriptedDriver();
    const queue = queueOver(driver);
    driver.beginErrors = [busy()];
    const alone = queue.write(async () => "noted", { dispensable: true });
    await expect(alone).rejects.toMatchObject({ code: "SQLITE_BUSY" });
    expect(driver.count("begin fails")).toBe(1);
    driver.beginErrors = [busy()];
    const together = [
      queue.write(async () => "noted", { dispensable: true }),
      queue.write(async () => "kept"),
    ];
    await expect(Promise.all(together)).resolves.toEqual(["noted", "kept"]);
    expect(queue.isKeptLocked).toBe(false);
  });

  test("rejects dispensable writes behind a write that keeps retrying", async () => {
    const driver = new ScriptedDriver();
    const queue = queueOver(driver);
    driver.beginErrors = [busy(), busy()];
    const kept = queue.write(async () => "kept").then(() => driver.asked.push("kept"));
    await new Promise((resolve) => setImmediate(resolve));
    const note = queue.write(async () => "noted", { dispensable: true, alone: true });
    await expect(note).rejects.toMatchObject({ code: "SQLITE_BUSY" });
    expect(driver.asked).not.toContain("kept");
    expect(queue.isKeptLocked).toBe(true);
    await kept;
  });
});

describe("a transaction that the database itself has ended", () => {
  test("rejects the whole group, so that nobody takes a lost write for kept", async () => {
    const driver = new ScriptedDriver();
    const queue = queueOver(driver);
    const full = Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });
    const outcomes = await Promise.allSettled([
      queue.write(async () => "done before"),
      queue.write(async () => {
        driver.loseTransaction();
        throw full;
      }),
      queue.write(async () => "never run"),
    ]);
    expect(outcomes.map((outcome) => outcome.status === "rejected" && outcome.reason)).toEqual([
      full,
      full,
      full,
    ]);
    expect(driver.count("commit")).toBe(0);
    await expect(queue.write(async () => "next")).resolves.toBe("next");
  });

  test("at the commit rejects the write", async () => {
    const driver = new ScriptedDriver();
    driver.commitErrors = [Object.assign(new Error("disk I/O error"), { code: "SQLITE_IOERR" })];
    await expect(queueOver(driver).write(async () => 1)).rejects.toMatchObject({ code: "SQLITE_IOERR" });
    expect(driver.count("rollback")).toBe(1);
  });
});
