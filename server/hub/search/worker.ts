import { serve } from '../threads/serve.ts';
import type { SearchTask } from './protocol.ts';
import { openRunner } from './run.ts';

/** The search worker: one task after the other, answered in JSON, quicker to pass than objects. */
const run = openRunner();
serve((task: SearchTask) => JSON.stringify(run(task)));
