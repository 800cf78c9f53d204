import { spawn } from "node:child_process";
import { windowsProgram } from "../../system/windows-program.ts";

/** The command that opens an address in the user's browser, by platform. */
const openers: Partial<Record<NodeJS.Platform, () => readonly [program: string, ...args: string[]]>> = {
  darwin: () => ["open"],
  win32: () => [windowsProgram("rundll32"), "url.dll,FileProtocolHandler"],
};

/** An opener that is still running after this time is the browser itself. */
const browserStartMs = 1_500;

/** Opens an address in the user's browser, which outlives this process. False if that failed. */
export function openInBrowser(url: string): Promise<boolean> {
  const [program, ...args] = openers[process.platform]?.() ?? ["xdg-open"];
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
