/** What agents report as a failure of the tool when it was the user who said no. */
const refusal =
  / failed: (?:The user doesn['’]t want to (?:proceed with|take) this|\[Request interrupted by user|User (?:rejected|denied|declined) )/i;

/** Whether an error, by its title, tells of a call that the user refused: nothing went wrong. */
export function isRefusal(title: string): boolean {
  return refusal.test(title);
}
