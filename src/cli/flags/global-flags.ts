import type { FlagForm } from "../command.ts";

/** The flags that every command takes, in the order of the help. */
export const globalFlags: readonly FlagForm[] = [
  {
    form: "--json",
    description: "print the API's response as JSON, on one line; one line each if there are several",
  },
  { form: "--ndjson", description: "the same, with one line per record of a list" },
  { form: "-q, --quiet", description: "print only results and errors" },
  { form: "--no-color", description: "do not use colours" },
  { form: "--no-input", description: "never ask anything" },
  { form: "-y, --yes", description: "answer yes to all questions" },
  { form: "--home <dir>", description: "folder of the store (MEMSVC_HOME, ~/.memsvc)" },
  { form: "--url <address>", description: "address of the daemon to use (MEMSVC_URL)" },
  { form: "--secret-file <path>", description: "file that holds the daemon's secret" },
  { form: "--offline", description: "do not use the daemon, even if one runs", contradicts: "url" },
  { form: "--debug", description: "show stack traces of errors" },
];
