/** Which tool finds what is not known, by the message; the services name commands, which an agent has not. */
const findingTools: readonly (readonly [RegExp, string])[] = [
  [/^nothing to forget: /u, "memory_smart_search finds ids by words, memory_sessions lists sessions"],
  [/^(?:memory|observation) /u, "memory_smart_search finds ids by words"],
  [/ is neither a memory nor an observation /u, "memory_smart_search finds ids by words"],
  [/^pattern /u, "memory_smart_search finds memories, and their type"],
  [/^lesson /u, "memory_lesson_recall finds lessons by their words"],
  [/^there is no slot /u, "memory_slot_list shows those that there are"],
  [/^actions? /u, "memory_frontier lists what can be worked on"],
  [/^nobody holds action /u, "memory_lease with operation acquire takes it"],
  [/^checkpoint /u, "memory_checkpoint with operation list shows them"],
  [/^signal /u, "memory_signal_read shows signals with their ids"],
  [/^graph node /u, "memory_graph_query with query finds nodes by name"],
];

/** What an agent may do about something that is not known; undefined where no tool finds it. */
export function wayOutOf(message: string): string | undefined {
  return findingTools.find(([words]) => words.test(message))?.[1];
}
