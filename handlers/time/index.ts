import type { HandlersOf } from '../../workflows/kernel/handler.ts';
import { now } from './now.ts';
import { proof } from './proof.ts';
import { pulse } from './pulse.ts';
import { stamp } from './stamp.ts';

export const time = {
  'time.now': now,
  'time.stamp': stamp,
  'time.proof': proof,
  'time.pulse': pulse,
} satisfies HandlersOf<'time'>;
