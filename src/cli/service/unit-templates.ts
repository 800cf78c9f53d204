/*
 * What tells a system to run the daemon for a user: a unit of systemd, a property list of launchd. Both start it at
 * login and again after a failure. systemd leaves one alone that says why it cannot start, because the next start would
 * say the same; launchd does not tell failures apart, and tries again every half minute.
 */

export const systemdName = "memsvc.service";
export const launchdLabel = "dev.memsvc.daemon";

/** What the files begin with, or hold, by which they are known again. */
export const unitMark = "Written by memsvc service install";

/** A daemon gives its requests and jobs 10 s each to end. */
export const stopSeconds = 30;
/** Start errors of `memsvc serve`: a wrong setting, a taken port, a home in use, a damaged store. */
const startErrorCodes = "2 3 4 5";

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

/** Words as they stand in a unit, one after another. */
export function systemdWords(words: readonly string[]): string {
  return words.map(systemdWord).join(" ");
}

/** Words as they stand in a property list, one after another. */
export function launchdWords(words: readonly string[]): string {
  return words.map((word) => `    <string>${xmlText(word)}</string>`).join("\n");
}

/** As systemd reads words: in quotes, with `%` and `$` doubled, which it would replace. */
function systemdWord(word: string): string {
  const plain = word.replaceAll("%", "%%").replaceAll("$", "$$$$");
  return `"${plain.replaceAll(/["\\]/gu, "\\$&").replaceAll("\n", "\\n")}"`;
}

function xmlText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
