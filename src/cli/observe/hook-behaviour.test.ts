import { expect, test } from "vitest";
import { captureForAgent, hookBehaviourOf, hookBehaviours } from "./hook-behaviour.ts";
import type { HookRoute } from "./observe-outcome.ts";
import type { ObserveTarget } from "./observe-target.ts";

interface Asked {
  readonly route: HookRoute;
  readonly input: object;
}

/** A target that records what hooks send, and answers as the daemon does. */
function recorder(injects: boolean, observationCount = 1): ObserveTarget & { readonly asked: Asked[] } {
  const asked: Asked[] = [];
  return {
    asked,
    setting: (name) => (name === "MEMSVC_INJECT_CONTEXT" && injects ? "true" : undefined),
    send: (route, input) => {
      asked.push({ route, input });
      const answer = { route, context: "what is known", session: { observationCount } };
      return Promise.resolve({ exit: 0, answer: JSON.stringify(answer) });
    },
    close: () => Promise.resolve(undefined),
  };
}

const event = {
  sessionId: "s",
  project: "shop",
  cwd: "/code/shop",
  timestamp: "2025-01-31T09:08:07.065Z",
  data: { model: "m-1" },
};

/** How much context these agents show their models whole. */
const limits: Partial<Record<string, object>> = {
  "claude-code": { maxCharacters: 10_000 },
  codex: { maxBytes: 10_000 },
};

test.each(hookBehaviours)(
  "the start of a session of $name opens it, and returns the context only if asked to",
  async (agent) => {
    const asking = recorder(true);
    const { reply, answer } = await captureForAgent(agent, { ...event, hookType: "session_start" }, asking);
    expect(JSON.parse(answer ?? "")).toMatchObject({ route: "observe" });
    expect(asking.asked.map(({ route }) => route)).toEqual(["session/start", "observe"]);
    expect(asking.asked[0]?.input).toEqual({
      sessionId: "s",
      project: "shop",
      cwd: "/code/shop",
      model: "m-1",
      ...limits[agent.name],
    });
    if (["windsurf", "kimi-code", "grok"].includes(agent.name)) expect(reply).toBeUndefined();
    else expect(reply).toContain("what is known");
    const silent = await captureForAgent(agent, { ...event, hookType: "session_start" }, recorder(false));
    expect(silent.reply).toBe(agent.name === "cursor" ? "{}" : undefined);
  },
);

test.each(hookBehaviours)(
  "a session of $name ends after the event that ends it, and after no other",
  async (agent) => {
    const target = recorder(true);
    for (const hookType of ["prompt_submit", "post_tool_use", "stop", "session_end"])
      await captureForAgent(agent, { ...event, hookType, agentId: "a" }, target);
    const routes = target.asked.map(({ route }) => route);
    const ends = routes.flatMap((route, at) => (route === "session/end" ? [at] : []));
    for (const at of ends) expect(target.asked[at]?.input).toEqual({ sessionId: "s", agentId: "a" });
    const before = ends.map((at) => target.asked[at - 1]?.input);
    expect(before).toEqual(agent.endsWith.map((hookType) => expect.objectContaining({ hookType })));
    const starts = routes.filter((route) => route === "session/start");
    expect(starts).toHaveLength(agent.name === "kimi-code" ? 1 : 0);
  },
);

test("an event tags its session with the program of the agent, also if it runs another one's hook", async () => {
  const target = recorder(false);
  for (const speaking of ["claude-code", "vscode"]) {
    const agent = hookBehaviourOf("claude-code", speaking);
    if (agent === undefined) throw new Error(`there is no agent ${speaking}`);
    await captureForAgent(agent, { ...event, hookType: "prompt_submit" }, target);
  }
  expect(target.asked.map(({ input }) => input)).toEqual([
    expect.objectContaining({ tags: ["claude-code"] }),
    expect.objectContaining({ tags: ["vscode"] }),
  ]);
});

test.each(["kimi-code", "qwen-code"])(
  "a session of %s ends after a turn that an error ended",
  async (name) => {
    const agent = hookBehaviourOf(name, name);
    if (agent === undefined) throw new Error(`there is no agent ${name}`);
    const target = recorder(false);
    const failed = { ...event, hookType: "notification", data: { notificationType: "stop_failure" } };
    await captureForAgent(agent, failed, target);
    await captureForAgent(agent, { ...failed, data: { notificationType: "idle_prompt" } }, target);
    expect(target.asked.map(({ route }) => route)).toEqual(["observe", "session/end", "observe"]);
  },
);

test("Kimi Code gets the context as the reply to the first prompt of a session, if it is to have it", async () => {
  const agent = hookBehaviourOf("kimi-code", "kimi-code");
  if (agent === undefined) throw new Error("there is no agent kimi-code");
  const repliesTo = async (target: ObserveTarget) =>
    (await captureForAgent(agent, { ...event, hookType: "prompt_submit" }, target)).reply;
  expect(await repliesTo(recorder(true))).toBe('{"message":"what is known"}');
  expect(await repliesTo(recorder(true, 2))).toBeUndefined();
  const silent = recorder(false);
  expect(await repliesTo(silent)).toBeUndefined();
  expect(silent.asked.map(({ route }) => route)).toEqual(["observe"]);
});

test("a session of Qwen Code that is left during a turn ends", async () => {
  const agent = hookBehaviourOf("qwen-code", "qwen-code");
  if (agent === undefined) throw new Error("there is no agent qwen-code");
  const target = recorder(false);
  await captureForAgent(agent, { ...event, hookType: "session_end" }, target);
  expect(target.asked.map(({ route }) => route)).toEqual(["observe", "session/end"]);
});

test("a call that fails is reported, and the other calls are still made", async () => {
  const target = recorder(true);
  const refusing: ObserveTarget = {
    ...target,
    send: (route, input) =>
      route === "session/start"
        ? Promise.resolve({ exit: 2, problem: "the session is another agent's" })
        : target.send(route, input),
  };
  const [agent] = hookBehaviours;
  const outcome = await captureForAgent(agent, { ...event, hookType: "session_start" }, refusing);
  expect(outcome).toMatchObject({ exit: 2, problem: "the session is another agent's" });
  expect(outcome.reply).toBeUndefined();
  expect(target.asked.map(({ route }) => route)).toEqual(["observe"]);
});

test("a hook one of whose calls was late is late, so that it does not wait for the rest of the work", async () => {
  const [agent] = hookBehaviours;
  for (const late of ["session/start", "observe"] as const) {
    const target: ObserveTarget = {
      ...recorder(false),
      send: (route) =>
        Promise.resolve(route === late ? { exit: 1, isLate: true } : { exit: 0, answer: "{}" }),
    };
    const outcome = await captureForAgent(agent, { ...event, hookType: "session_start" }, target);
    expect(outcome).toMatchObject({ exit: 1, isLate: true });
  }
  const inTime = await captureForAgent(agent, { ...event, hookType: "session_start" }, recorder(false));
  expect(inTime).not.toHaveProperty("isLate");
});

test("Cursor gets the context from its own hook, not from Claude Code's", async () => {
  expect(hookBehaviourOf("claude-code", "claude-code")?.name).toBe("claude-code");
  expect(hookBehaviourOf(undefined, "cursor")).toBeUndefined();
  const replies = [];
  for (const named of ["cursor", "claude-code"]) {
    const agent = hookBehaviourOf(named, "cursor");
    if (agent === undefined) throw new Error("there is no agent cursor");
    replies.push(
      (await captureForAgent(agent, { ...event, hookType: "session_start" }, recorder(true))).reply,
    );
  }
  expect(replies).toEqual(['{"additional_context":"what is known"}', "{}"]);
});

test("a VS Code session ends with each turn, because VS Code reports no end", async () => {
  const agent = hookBehaviourOf("claude-code", "vscode");
  if (agent === undefined) throw new Error("there is no agent vscode");
  const target = recorder(false);
  await captureForAgent(agent, { ...event, hookType: "stop" }, target);
  expect(target.asked.map(({ route }) => route)).toEqual(["observe", "session/end"]);
  expect(hookBehaviourOf(undefined, "vscode")).toBeUndefined();
});

test("an unknown agent has no special behaviour", () => {
  expect(hookBehaviourOf("emacs", undefined)).toBeUndefined();
  expect(hookBehaviourOf(undefined, undefined)).toBeUndefined();
});
