import { errorTable, startErrors } from "../../operation/errors.ts";

/*
 * Templates for running the daemon as a user service: a systemd unit and a launchd property list. Both start it at
 * login and restart it after a failure. systemd does not restart a daemon that exits with a start error, because the
 * next start would fail in the same way; launchd cannot tell failures apart and retries every half minute.
 */

export const systemdName = "memsvc.service";
export const launchdLabel = "dev.memsvc.daemon";

/** A line in our unit files by which they are recognised. */
export const unitMark = "Written by memsvc service install";

/** The daemon gives its requests and its jobs 10 s each to end. */
export const stopSeconds = 30;
const startErrorCodes = startErrors.map((code) => errorTable[code].exit).join(" ");

export function systemdUnit(words: readonly string[]): string {
  return `# ${unitMark}; memsvc service uninstall removes it.
[Unit]
Description=memsvc, long-term memory for coding agents

[Service]
ExecStart=${systemdWords(words)}
Restart=on-failure
RestartSec=5
RestartPreventExitStatus=${startErrorCodes}
TimeoutStopSec=${stopSeconds}
UMask=0077
NoNewPrivileges=true

[Install]
WantedBy=default.target
`;
}

export function launchdPlist(words: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!-- ${unitMark}; memsvc service uninstall removes it. -->
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${launchdLabel}</string>
  <key>ProgramArguments</key>
  <array>
${launchdWords(words)}
  </array>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ThrottleInterval</key>
  <integer>30</integer>
  <key>ExitTimeOut</key>
  <integer>${stopSeconds}</integer>
  <key>Umask</key>
  <integer>${0o077}</integer>
</dict>
</plist>
`;
}

/** Words in the syntax of a systemd unit. */
export function systemdWords(words: readonly string[]): string {
  return words.map(systemdWord).join(" ");
}

/** Words in the syntax of a property list. */
export function launchdWords(words: readonly string[]): string {
  return words.map((word) => `    <string>${xmlText(word)}</string>`).join("\n");
}

/** A word in systemd's syntax: quoted, with `%` and `$` doubled, because systemd expands them. */
function systemdWord(word: string): string {
  const plain = word.replaceAll("%", "%%").replaceAll("$", "$$$$");
  return `"${plain.replaceAll(/["\\]/gu, "\\$&").replaceAll("\n", "\\n")}"`;
}

function xmlText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
