import { apiBase, openReader, ReadError } from "./api.ts";
import { failure } from "./parts/notices.ts";
import { keepTimesTrue } from "./parts/time.ts";
import { type Route, routeOf } from "./route.ts";
import { forgetSecret, keepSecret, keptSecret, secretForm } from "./secret.ts";
import { openShell } from "./shell.ts";
import { viewOf } from "./views/table.ts";

/** The page: shows the view that the address names, and asks for the secret if the server requires one. */
function start(): void {
  const base = apiBase(location.href);
  const shell = openShell({
    refresh: () => void show(),
    follow: () => {
      if (!isReading && shell.isAtRest()) void show({ isQuiet: true });
    },
    leave: () => {
      forgetSecret();
      void show();
    },
  });
  let reading = new AbortController();
  let isReading = false;
  let failedBy: string | undefined;

  const show = async ({ isQuiet = false } = {}): Promise<void> => {
    reading.abort();
    reading = new AbortController();
    const { signal } = reading;
    const route = routeOf(location.hash);
    const view = viewOf(route);
    const secret = keptSecret();
    shell.enter(view, secret !== undefined, isQuiet);
    isReading = true;
    try {
      const screen = await view.show(openReader({ base, secret, signal }), route);
      if (signal.aborted) return;
      failedBy = undefined;
      shell.present(screen);
    } catch (error) {
      const cause = String(error);
      if (signal.aborted) return;
      // While following a view, the same failure is shown only once.
      if (isQuiet && cause === failedBy) return shell.stay();
      failedBy = cause;
      if (error instanceof ReadError && error.kind === "unauthorized") {
        forgetSecret();
        shell.replace("Secret", secretForm(tryOut, secret !== undefined));
      } else tellFailure(error, route);
    } finally {
      if (!signal.aborted) isReading = false;
    }
  };

  const tellFailure = (error: unknown, route: Route): void => {
    const told = failure(error, route, () => void show());
    shell.replace("Not shown", told);
  };

  const tryOut = async (secret: string): Promise<boolean> => {
    try {
      // With a signal of its own: navigating elsewhere must not abort the check of a secret.
      await openReader({ base, secret, signal: new AbortController().signal }).get("/config/flags");
    } catch (error) {
      if (error instanceof ReadError && error.kind === "unauthorized") return false;
      tellFailure(error, routeOf(location.hash));
      return true;
    }
    keepSecret(secret);
    await show();
    return true;
  };

  keepTimesTrue();
  window.addEventListener("hashchange", () => void show());
  void show();
}

start();
