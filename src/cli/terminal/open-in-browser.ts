import { spawn } from "node:child_process";

/** How the platforms open an address in the user's browser. */
const openers: Partial<Record<NodeJS.Platform, readonly [program: string, ...args: string[]]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** An opener that still runs after this time is the browser itself. */
const browserStartMs = 1_500;

/** Opens an address in the user's browser, which outlives this process. False where none can be started. */
export function openInBrowser(url: string): Promise<boolean> {
  const [program, ...args] = openers[process.platform] ?? ["xdg-open"];
  const opener = spawn(program, [...args, url], { detached: true, stdio: "ignore" });
  return new Promise((resolve) => {
    const settle = (isOpen: boolean) => {
      clearTimeout(timer);
      opener.unref();
      resolve(isOpen);
    };
    const timer = setTimeout(() => settle(true), browserStartMs);
    opener.once("error", () => settle(false));
    opener.once("exit", (exit) => settle(exit === 0));
  });
}
