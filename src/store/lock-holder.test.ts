import { expect, test } from "vitest";
import { writersOf } from "./lock-holder.ts";

const locks = `1: POSIX  ADVISORY  WRITE 3864 00:1a:839 120 120
2: POSIX  ADVISORY  READ 3865 00:1a:839 120 120
3: POSIX  ADVISORY  WRITE 3866 00:1a:839 121 127
4: FLOCK  ADVISORY  WRITE 3867 00:1a:839 0 EOF
5: POSIX  ADVISORY  WRITE 3868 00:1a:840 120 120
6: POSIX  ADVISORY  WRITE 3869 00:1a:839 120 122
6: -> POSIX  ADVISORY  WRITE 3870 00:1a:839 120 120
7: POSIX  ADVISORY  WRITE -1 00:1a:839 0 EOF
8: POSIX  ADVISORY  WRITE 0 00:1a:839 0 EOF
9: POSIX  ADVISORY  WRITE 3871 00:1a:839 0 119
10: POSIX  ADVISORY  WRITE 3872 00:1a:839 0 EOF
`;

test("finds the processes whose locks keep others from writing to the database", () => {
  expect(writersOf(locks, 839n)).toEqual([3864, 3869, 3872]);
});
