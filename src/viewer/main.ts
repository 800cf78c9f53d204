import { apiBase, openReader, ReadError } from "./api.ts";
import { failure } from "./parts/notices.ts";
import { routeOf } from "./route.ts";
import { forgetSecret, keepSecret, keptSecret, secretForm } from "./secret.ts";
import { openShell } from "./shell.ts";
import { viewOf } from "./views/table.ts";

/** The page: shows the view that the address names, and asks for the secret where the server wants one. */
function start(): void {
  const base = apiBase(location.href);
  const shell = openShell({
    refresh: () => void show(),
    leave: () => {
      forgetSecret();
      void show();
    },
  });
  let reading = new AbortController();

  const show = async (): Promise<void> => {
    reading.abort();
    reading = new AbortController();
    const { signal } = reading;
    const route = routeOf(location.hash);
    const view = viewOf(route);
    const secret = keptSecret();
    shell.enter(view, secret !== undefined);
    try {
      const screen = await view.show(openReader({ base, secret, signal }), route);
      if (!signal.aborted) shell.present(screen);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ReadError && error.kind === "unauthorized") {
        forgetSecret();
        shell.replace("Secret", secretForm(tryOut, secret !== undefined));
      } else
        shell.replace(
          "Not shown",
          failure(error, () => void show()),
        );
    }
  };

  const tryOut = async (secret: string): Promise<boolean> => {
    try {
      await openReader({ base, secret, signal: reading.signal }).get("/config/flags");
    } catch (error) {
      if (error instanceof ReadError && error.kind === "unauthorized") return false;
      shell.replace(
        "Not shown",
        failure(error, () => void show()),
      );
      return true;
    }
    keepSecret(secret);
    await show();
    return true;
  };

  window.addEventListener("hashchange", () => void show());
  void show();
}

start();
