import { expect, test } from "vitest";
import { complaintAboutNode } from "./old-node.ts";

test.each(["20.19.0", "20.20.2", "22.3.0", "22.23.3", "23.0.0", "24.1.0", "100.0.0"])(
  "Node %s is supported",
  (version) => {
    expect(complaintAboutNode(version)).toBeUndefined();
  },
);

test.each(["16.20.2", "18.20.8", "20.18.3", "21.7.3", "22.2.0"])("Node %s is rejected", (version) => {
  expect(complaintAboutNode(version)).toBe(
    `Node ${version} is not supported; use Node 20.19, or 22.3 or newer`,
  );
});
