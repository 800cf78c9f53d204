import fc from "fast-check";
import { live } from "./history.ts";
import { testOfHistories } from "./many.ts";
import { type Step, step } from "./steps.ts";

const history = fc.array(step as fc.Arbitrary<Step>, { minLength: 5, maxLength: 40, size: "max" });

testOfHistories("a store matches its model after every step of any history", history, live, 2);
