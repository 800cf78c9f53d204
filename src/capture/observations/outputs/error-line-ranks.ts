/*
 * Which lines with a cue word report an error, and how much they say: an error itself comes before counts of failures
 * and before lines that only say that something failed; quoted source and hints come last.
 */

/** In this order; lines of the rank `least` are only used when there are no others. */
export type Rank = "cause" | "plain" | "lesser" | "least";

/** Tests that passed or begin, and titles of commits: they mention errors but report none. */
const reportsNoError =
  /^(?:# Subtest: |[✓✔√]|ok \d|--- PASS|PASS\b|\[\s{0,8}OK|[0-9a-f]{7,12} |\[[\w./-]{1,100}(?: \(root-commit\))? [0-9a-f]{7,12}\] )|(?:\.\.\. ok(?: \(\d{1,9}m?s\))?|\bPASSED(?:\s{1,20}\[\s{0,3}\d{1,3}%\])?|\bPassed\s{1,20}[\d.]{1,12} sec)$/;
/** The same of runners that print no mark before the name of a test, or begin with what they run. */
const beginsOrPassed =
  /^(?:\[ RUN |Start\s{1,8}\d{1,6}: |=== (?:RUN|PAUSE|CONT|NAME)\b|ok\s{1,8}\S{1,300}\s{1,8}(?:[\d.]{1,12}s|\(cached\))|\?\s{1,8}\S{1,300}\s{1,8}\[no test files\]|Test (?:Case|Suite) '.*' (?:started|passed)\b|Passed \S|Running (?:unittests )?\S{1,300} \(|Doc-tests )|(?:= [\d.]{1,12} s = \.| [✓✔])$/;
/**
 * Progress of builds and installations, which names packages, tasks and folders (`Compiling thiserror v1.0.50`): of
 * cargo, pip, bundler, apt, npm, Maven, Gradle, make, CMake, configure, Docker and Terraform.
 */
const progress = [
  /^(?:Compiling|Checking|Fresh|Documenting|Adding|Removing|Updating|Locking|Download(?:ed|ing)|Install(?:ed|ing)|Fetching|Using) (?:cached )?\S{1,200} \(?v?\d/,
  /^(?:Collecting|Requirement already satisfied:|Installing collected packages:|Successfully (?:un)?installed|Attempting uninstall:|Found existing installation:|Downloading \S{1,300}\.(?:whl|gz)|Using cached \S{1,300}\.(?:whl|gz)) ?/,
  /^(?:(?:Get|Hit|Ign):\d|Selecting previously|Preparing to unpack|Unpacking |Setting up |npm (?:warn|WARN|notice) |\[INFO\] |> Task \S{1,300}(?: (?!FAILED)\S{1,40})?$)/,
  /^(?:make(?:\[\d{1,3}\])?: (?:Entering|Leaving) directory |-- |checking (?:for|whether) |#\d{1,4} \[)/,
  /^\S{1,300}: (?:Creat|Destr|Modif|Read|Refreshing|Still )[\w ]{0,30}(?:\.\.\.|\bcomplete\b)/,
];
const warning = /^(?:\S{1,300}:\d{1,9}:(?:\d{1,9}:)? )?warning(?:\[\w{1,20}\]|:)? /;
/** What has changed, of `git status`; trees of files and pages. */
const listed =
  /^(?:(?:modified|deleted|new file|renamed|copied|typechange|both \w{1,10}|\w{1,10} by (?:us|them)): |[├└┌])/;
const tracebackHeader = /^traceback(?: \(most recent call last\)|:$)/i;
/** Lua's; what was wrong is above it. */
const stackHeader = /^stack traceback:$/;
/** `severity: 'ERROR',` of an error printed as an object, `name: 'AssertionError'` of TAP. */
const levelAlone =
  /^["']?(?:severity|level|name)["']?: ["']?(?:\w{0,40}error|fatal|panic)["']?,?$|^failureType: /i;
/** Points of lists in tickets and notes, which tell what shall happen, unless they give an error's text. */
const listPoint =
  /^(?:[-*•] |\d{1,2}[.)] )(?!What went wrong:|Installing \S{1,200} \(.{1,80}\): Failed)(?!.*(?:(?:error|exception|fail(?:ed|ure)?|panic|fatal)(?: ?\[[^\]]*\]| [A-Z]{1,6}-?\d+)?:))(?!.*: (?:cannot|not found)).*$/i;
/** npm marks each line of a message, blank ones too. */
const npmBlank = /^npm (?:error|ERR!)(?: \w{1,12})?$/;
/** PowerShell classifies each error. */
const classified = /^\+ (?:CategoryInfo|FullyQualifiedErrorId) /;
const noReports = [
  ...[reportsNoError, beginsOrPassed, ...progress, warning, listed],
  ...[tracebackHeader, stackHeader, levelAlone, listPoint, npmBlank, classified],
];

/**
 * Counts of failures do not say what failed: `❯ cart.test.ts (5 tests | 1 failed)`, `Found 1 error.`, `Tests
 * run: 3, Failures: 1`.
 */
const failureCount =
  /(?<![:.\d]|\bport )\b\d{1,9} (?:(?:sub)?tests? )?(?:failed|failing|failures?)\b(?!: )|\bfailed tests? \d|\b\d{1,9} (?:previous )?errors?(?= in | generated\b|\(s\)|[.:,]?$)|\bfailures: ?\d|\bproblems? \(\d{1,9} errors?\b/i;
/** rspec's source line of the failure. */
const failedLine = /^Failure\/Error: /;
/** A failed test in the list of all tests: the reason is elsewhere. */
const listedTest =
  /^FAIL\b(?!:)|^[✘✖] .{1,300} \(\d[\d.]{0,12}m?s\)$|(?:\.\.\. (?:FAILED|FAIL|ERROR)(?: \(\d{1,9}m?s\))?|\bFAILED\s{1,20}\[\s{0,3}\d{1,3}%\]|\*\*\*(?:Failed|Exception: \w{1,20}|Not Run)\s{1,20}[\d.]{1,12} sec)$/;
/** Lines that only say that something failed. */
const onlySaysThatItFailed =
  /\*\*\* \[.*\] Error \d|\bld returned \d|\bcould not compile\b|to rerun pass|\bbeing treated as errors|^(?:\[INFO\] )?BUILD FAIL|^FAILURE: Build failed|^FAILED \(|^(?:ERRORS|FAILURES)!?$|^Errors (?:while running|parsing) |^Failed to compile\.?$|^error: Test failed$|^Application bundle generation failed\b|^x Build failed in |^Build (?:FAILED\.$|failed because of )|^> Task \S{1,300} FAILED$|> (?:Compilation (?:failed|error)|There were failing tests|A failure occurred while executing)\b|\bCommand failed with exit code\b|^Automatic merge failed|\berrors were emitted while running checks|^Error occurred when checking code style|^\d\d:\d\d \+\d.*: Some tests failed\.$|^Test failed\. See exception logs above|EXCEPTION CAUGHT BY |\.\.\.failed\.?$|\bfailed: \(Exit \d{1,3}\): /;
/** What npm tells before its message. */
const npmHeader =
  /^npm (?:error|ERR!) (?:(?:code|syscall|path|dest|file|errno|command|workspace|location|signal)\b|Lifecycle script )/;
const lesser = [failureCount, failedLine, listedTest, onlySaysThatItFailed, npmHeader];

/** Source quoted at the place of a failure, and stack frames. */
const quotedSource =
  /^(?:[>→]\s{0,20})?(?:(?:raise|throw|def)\b|\d{1,6}\s{0,4}[|│])|^File "|^(?:at|❯) \S.*:\d{1,9}\)?$|^\||\^$|^(?:from|#\d{1,4}(?! \d{1,5}\.\d{1,4} )) |^\d{1,4}: [\w<{].*::|^panic\(|^Error Trace:/;
/** A command that a script or a shell prints before it runs it; added lines of a difference. */
const echoed = /^(?:[>$] (?!Task )|(?:\d{1,6} {1,4})?\+ )/;
/** Hints on how to learn more. */
const hint =
  /^(?:(?:hint|help|note): |\(Background on this error |Some errors have|For more information|To see the full stack trace|Re-run Maven|(?:-> )?\[Help \d|npm (?:error|ERR!) (?: |A complete log |To see a list |gyp info ))/;
const ruled = /^([=_*!~#⎯─━-])\1{2,}\s.*\s\1{3,}$/;
/** A page in HTML, as tests print it. */
const markup = /<[a-z][\w-]{0,40} [\w-]{1,40}=\\?["']/i;
const least = [quotedSource, echoed, hint, ruled, markup];

/** Whether a line with a cue word reports no error. */
export function isNoReport(line: string): boolean {
  return noReports.some((one) => one.test(line));
}

/** Whether a line says nothing by itself: quoted source, or a hint. */
export function saysLeast(line: string): boolean {
  return least.some((one) => one.test(line));
}

/** Whether a line only counts failures, or says that there are some. */
export function saysLittle(line: string): boolean {
  return lesser.some((one) => one.test(line));
}

/** Whether an error line only counts failures. */
export function countsFailures(line: string): boolean {
  return failureCount.test(line);
}

/** Whether Python's traceback begins here; what was raised is below it. */
export function beginsTraceback(line: string): boolean {
  return tracebackHeader.test(line);
}
