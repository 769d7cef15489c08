import { serve } from '../threads/serve.ts';
import type { SearchTask } from './protocol.ts';
import { openRunner } from './run.ts';

/**
 * The search worker: one index, and one task after the other. It answers in JSON, because a text is
 * handed over quicker than hundreds of objects.
 */
const run = openRunner();
serve((task: SearchTask) => JSON.stringify(run(task)));
