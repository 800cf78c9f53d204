/**
 * The largest number up to `most` that passes a monotonic test (if a number passes, so do all smaller ones); 0 is
 * assumed to pass.
 */
export function largestPassing(passes: (length: number) => boolean, most: number): number {
  if (passes(most)) return most;
  let longest = 0;
  let tooLong = most;
  while (tooLong - longest > 1) {
    const middle = (longest + tooLong) >>> 1;
    if (passes(middle)) longest = middle;
    else tooLong = middle;
  }
  return longest;
}
