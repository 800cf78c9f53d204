import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";

/** What is open, or takes up a folder, until it is told to go. */
type Passing = { close(): unknown } | { remove(): unknown };

/** What each test of a file, or of a group, has anew: it is opened before the test and closed behind it. */
export function forEachTest<Opened extends Passing>(open: () => Opened | Promise<Opened>): Opened {
  return openedBy(open, beforeEach, afterEach);
}

/** What the tests of a file, or of a group, share. */
export function forAllTests<Opened extends Passing>(open: () => Opened | Promise<Opened>): Opened {
  return openedBy(open, beforeAll, afterAll);
}

/** Stands for what is open at the time. */
function openedBy<Opened extends Passing>(
  open: () => Opened | Promise<Opened>,
  before: typeof beforeEach | typeof beforeAll,
  after: typeof afterEach | typeof afterAll,
): Opened {
  let opened: Opened;
  before(async () => {
    opened = await open();
  });
  after(async () => {
    await ("close" in opened ? opened.close() : opened.remove());
  });
  return new Proxy({} as Opened, {
    get: (_, name) => {
      const found: unknown = Reflect.get(opened, name);
      return typeof found === "function" ? found.bind(opened) : found;
    },
  });
}
