import { serve } from '../threads/serve.ts';
import { openRunner } from './run.ts';

/** The search worker: one index, and one task after the other. */
serve(openRunner());
