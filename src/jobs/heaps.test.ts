import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";

const sources = new URL("../../test/native-sources/register.mjs", import.meta.url).href;

/** How often V8 collects the young generation while a program runs that keeps some of its objects. */
function collections(body: string): number {
  const module = new URL("./heaps.ts", import.meta.url).href;
  const program = `
    import { constants, PerformanceObserver } from "node:perf_hooks";
    import { enlargeHeaps, keepHeapsSmall } from ${JSON.stringify(module)};
    let count = 0;
    const isOfNew = ({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MINOR;
    const observer = new PerformanceObserver((list) => { count += list.getEntries().filter(isOfNew).length; });
    observer.observe({ entryTypes: ["gc"] });
    const work = async () => {
      let kept = [];
      for (let round = 0; round < 200; round += 1) {
        for (let at = 0; at < 5_000; at += 1) kept.push({ text: \`row \${round} \${at}\`, round, at });
        if (round % 10 === 9) kept = [];
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    keepHeapsSmall();
    ${body}
    await new Promise((resolve) => setTimeout(resolve, 20));
    console.log(count);`;
  const output = execFileSync(
    process.execPath,
    // Single-threaded, because with helper threads the number of collections depends on their scheduling.
    ["--single-threaded-gc", "--import", sources, "--input-type=module", "--eval", program],
    { encoding: "utf8" },
  );
  return Number(output);
}

test("work with enlarged heaps is interrupted by far fewer collections", () => {
  const roomy = collections("enlargeHeaps(); await work();");
  const short = collections("await work();");
  expect(roomy).toBeLessThan(short * 0.7);
});

test("heaps are small again when the last work with enlarged heaps has ended", () => {
  const after = collections("const end = enlargeHeaps(); enlargeHeaps()(); end(); await work();");
  const roomy = collections("enlargeHeaps(); enlargeHeaps()(); await work();");
  expect(roomy).toBeLessThan(after * 0.7);
});
