import { serve } from '../threads/serve.ts';
import type { SearchTask } from './protocol.ts';
import { openRunner } from './run.ts';

/** One index, one task at a time. It answers in JSON: a text is handed over faster than objects. */
const run = openRunner();
serve((task: SearchTask) => JSON.stringify(run(task)));
