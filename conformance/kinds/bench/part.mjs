// One part of the benchmarks in a process of its own: `node conformance/kinds/bench/part.mjs router`.
import { PARTS } from './parts.mjs';

await PARTS[process.argv[2]]();
