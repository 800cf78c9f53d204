import { isObject } from "../../../json/is-object.ts";
import { blocksOf } from "../formats/blocks.ts";
import { type Fields, objectOf, textOf } from "../transcript-line.ts";

/*
 * A request of a chat in VS Code, without what does not matter here and with outputs as plain texts: those of tools are
 * trees, nested deeper than lines of transcripts may be.
 */

export function plainRequest(request: Fields): Fields {
  const { requestId, timestamp, message, response, result, modelState, isCanceled, responseId } = request;
  const { metadata, timings } = objectOf(result);
  const { toolCallRounds, toolCallResults } = objectOf(metadata);
  const state = objectOf(modelState);
  const { totalElapsed } = objectOf(timings);
  const endsLater = typeof timestamp === "number" && typeof totalElapsed === "number";
  return {
    ...{ requestId: requestId ?? responseId, timestamp },
    prompt: typeof message === "string" ? message : objectOf(message).text,
    isEnded: result !== undefined || isCanceled === true || endStates.has(state.value),
    endedAt: state.completedAt ?? (endsLater ? timestamp + totalElapsed : undefined),
    rounds: blocksOf(toolCallRounds).map(({ response: text, toolCalls, timestamp: startedAt }) => ({
      ...{ response: text, timestamp: startedAt },
      calls: blocksOf(toolCalls).map(({ id, name, arguments: args }) => ({ id, name, arguments: args })),
    })),
    results: Object.fromEntries(
      Object.entries(objectOf(toolCallResults)).map(([id, told]) => [id, printedIn(objectOf(told).content)]),
    ),
    parts: blocksOf(response).flatMap(plainPart),
  };
}

/** Complete, cancelled, failed. */
const endStates: ReadonlySet<unknown> = new Set([1, 2, 3]);

/** The text that a tool has printed for the model. */
function printedIn(content: unknown): string {
  const texts = blocksOf(content).map(({ value }) =>
    isObject(value) ? textOfNode(objectOf(value.node)).trimStart() : textOf(value),
  );
  return texts.filter((text) => text !== "").join("\n");
}

/** A node of the tree that a prompt is rendered to: a text, or other nodes. */
function textOfNode({ text, lineBreakBefore, children }: Fields): string {
  if (typeof text === "string") return lineBreakBefore ? `\n${text}` : text;
  return blocksOf(children).map(textOfNode).join("");
}

/** A part of what the user was shown. */
function plainPart(part: Fields): Fields[] {
  const { kind, value, content, name, uri, edits } = part;
  if (kind === undefined || kind === "markdownContent" || kind === "markdownVuln") {
    const said = [value, objectOf(value).value, objectOf(content).value, content].find(
      (text) => typeof text === "string",
    );
    return said === undefined ? [] : [{ kind: "text", text: said }];
  }
  if (kind === "inlineReference") {
    const shown = textOf(name) || textOf(pathIn(part.inlineReference)).split("/").at(-1);
    return [{ kind: "text", text: shown ? `\`${shown}\`` : "" }];
  }
  if (kind === "textEditGroup") {
    const texts = (Array.isArray(edits) ? edits.flat() : []).map((edit) => objectOf(edit).text);
    return [{ kind: "edit", path: pathIn(uri), texts: texts.filter((text) => typeof text === "string") }];
  }
  return kind === "toolInvocationSerialized" || kind === "toolInvocation" ? [plainCall(part)] : [];
}

function plainCall({ toolId, toolCallId, toolSpecificData, resultDetails, ...shown }: Fields): Fields {
  const { output, isError } = objectOf(resultDetails);
  const { value: told = shown.pastTenseMessage ?? shown.invocationMessage, uris } = {
    ...objectOf(shown.invocationMessage),
    ...objectOf(shown.pastTenseMessage),
  };
  return {
    ...{ kind: "call", toolId, toolCallId, told, isError, data: plainData(objectOf(toolSpecificData)) },
    paths: Object.values(objectOf(uris)).map(pathIn),
    output: printedIn(output),
  };
}

const dataFields = ["kind", "command", "rawInput", "prompt", "description", "result", "todoList"] as const;

function plainData(data: Fields): Fields {
  const { commandLine, terminalCommandState, terminalCommandOutput } = data;
  const { userEdited, toolEdited, original } = objectOf(commandLine);
  return {
    ...Object.fromEntries(dataFields.map((field) => [field, data[field]])),
    ...(commandLine === undefined ? {} : { command: userEdited ?? toolEdited ?? original, asked: original }),
    output: objectOf(terminalCommandOutput).text,
    exitCode: objectOf(terminalCommandState).exitCode,
  };
}

function pathIn(uri: unknown): unknown {
  const { fsPath, path, uri: inner } = objectOf(uri);
  return fsPath ?? path ?? (inner === undefined ? undefined : pathIn(inner));
}
