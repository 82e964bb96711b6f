import fc from "fast-check";

// Every property of a run shares one seed; a failure prints it, FC_SEED replays it.
const seed = Number(process.env["FC_SEED"] ?? Date.now() % 2 ** 31);
const numRuns = Number(process.env["FC_RUNS"] ?? 100);

fc.configureGlobal({ seed, numRuns, includeErrorInReport: true });
