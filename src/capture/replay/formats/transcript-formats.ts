import { cline } from "./cline.ts";
import { clineTask } from "./cline-task.ts";
import { codex } from "./codex.ts";
import { copilotCli } from "./copilot-cli.ts";
import { cursor } from "./cursor.ts";
import { droid } from "./droid.ts";
import { geminiCli } from "./gemini-cli.ts";
import { grok } from "./grok.ts";
import { kimiCode } from "./kimi-code.ts";
import { openCode } from "./opencode.ts";
import { pi } from "./pi.ts";
import { qwenCode } from "./qwen-code.ts";
import type { TranscriptFormat } from "./transcript-format.ts";
import { vscodeChat } from "./vscode-chat.ts";

/** The formats besides that of Claude Code, into which they are translated. */
export const transcriptFormats: readonly TranscriptFormat[] = [
  cline,
  clineTask,
  codex,
  copilotCli,
  cursor,
  droid,
  geminiCli,
  grok,
  kimiCode,
  openCode,
  pi,
  qwenCode,
  vscodeChat,
];
