import { httpApp } from "../../src/http/app.ts";
import type { Fetch } from "../../src/http/listen.ts";
import { listen } from "../../src/http/listen.ts";
import type { OwnPorts } from "../../src/http/origins.ts";
import { viewerHandler } from "../../src/http/viewer-port.ts";
import { openTestCore, type TestCore } from "../support/core.ts";

export interface Served {
  readonly store: TestCore;
  /** Address of the viewer. */
  readonly url: string;
  close(): Promise<void>;
}

/** Serves the viewer over a fresh store, without background work. */
export async function serveViewer(env: Readonly<Record<string, string>> = {}): Promise<Served> {
  const store = await openTestCore({ env });
  let port = 0;
  const ports = (): OwnPorts => ({ api: port, viewer: port });
  const app = httpApp({ core: store.core, ports });
  const { settings, log } = store.core.ground;
  const api: Fetch = (request) => app.fetch(request);
  const listener = await listen(
    viewerHandler({ api, settings, log, ports }),
    "127.0.0.1",
    0,
    () => undefined,
  );
  port = listener.port;
  return {
    store,
    url: `http://127.0.0.1:${port}/`,
    close: async () => {
      await listener.close(0);
      await store.close();
    },
  };
}
