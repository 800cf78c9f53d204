import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";

/** Something that has to be closed or removed after use. */
type Passing = { close(): unknown } | { remove(): unknown };

/** A fixture that is opened before each test of a file or group, and closed after it. */
export function forEachTest<Opened extends Passing>(open: () => Opened | Promise<Opened>): Opened {
  return openedBy(open, beforeEach, afterEach);
}

/** A fixture that all tests of a file or group share. */
export function forAllTests<Opened extends Passing>(open: () => Opened | Promise<Opened>): Opened {
  return openedBy(open, beforeAll, afterAll);
}

/** Returns a proxy for the fixture that is open at the time of each access. */
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
