import fc from "fast-check";
import { testOfHistories } from "../many.ts";
import { liveApart, liveTogether } from "./history.ts";
import { step } from "./steps.ts";

const history = fc.array(step, { minLength: 4, maxLength: 16, size: "max" });

testOfHistories("isolated agents never see each other's records", history, liveApart, 1);
testOfHistories(
  "agents of a shared scope find each other's records, and can filter by one agent",
  history,
  liveTogether,
  1,
);
