import fc from "fast-check";
import { testOfHistories } from "../many.ts";
import { liveApart, liveTogether } from "./history.ts";
import { step } from "./steps.ts";

const history = fc.array(step, { minLength: 4, maxLength: 16, size: "max" });

testOfHistories("isolated agents see nothing of one another, whatever they do", history, liveApart, 1);
testOfHistories("agents that share find what the other wrote", history, liveTogether, 1);
