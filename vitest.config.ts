import { availableParallelism } from "node:os";
import type { ViteUserConfig } from "vitest/config";

const config: ViteUserConfig = {
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["**/node_modules/**", "test/conformance/**"],
    setupFiles: ["test/support/setup.ts"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: "forks",
    // Most tests wait for a process or a socket; two of them side by side even on one core.
    maxWorkers: Math.max(2, availableParallelism()),
  },
};
export default config;
