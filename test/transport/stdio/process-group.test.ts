import { describe, expect, it } from "vitest";
import { hasLivingMembers, isLivingMember } from "../../../src/transport/stdio/process-group.ts";

describe("a member of a process group", () => {
  it("is told by its state and its group, whatever its name", () => {
    expect(isLivingMember("12 (node) S 1 7 7 0 -1", 7)).toBe(true);
    expect(isLivingMember("12 (a) Z 1 7) S 1 7 7 0 -1", 7)).toBe(true);
    expect(isLivingMember("12 (node) Z 1 7 7 0 -1", 7)).toBe(false);
    expect(isLivingMember("12 (node) S 7 8 7 0 -1", 7)).toBe(false);
    expect(isLivingMember("", 7)).toBe(false);
  });

  it("is not there in a group that does not exist", () => {
    expect(hasLivingMembers(2 ** 22 + 1)).toBe(false);
  });
});
