import type { FlagForm } from "../command.ts";

/** The flags that every command takes, in the order of the help. */
export const globalFlags: readonly FlagForm[] = [
  { form: "--json", description: "print exactly what the API answers" },
  { form: "--ndjson", description: "the same, with a line for each record of a list" },
  { form: "-q, --quiet", description: "no messages besides results and errors" },
  { form: "--no-color", description: "no colours" },
  { form: "--no-input", description: "never ask anything" },
  { form: "-y, --yes", description: "answer yes to every question" },
  { form: "--home <dir>", description: "folder of the store (MEMSVC_HOME, ~/.memsvc)" },
  { form: "--url <address>", description: "address of the daemon to use (MEMSVC_URL)" },
  { form: "--secret-file <path>", description: "file that holds the daemon's secret" },
  { form: "--offline", description: "do it in this process, even when a daemon runs" },
  { form: "--debug", description: "show stacks of errors" },
];
