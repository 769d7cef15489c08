import type { HandlersOf } from '../../workflows/kernel/handler.ts';
import { checkpoint } from './checkpoint.ts';
import { consistency } from './consistency.ts';
import { cosign } from './cosign.ts';
import { proof } from './proof.ts';
import { state } from './state.ts';
import { tile } from './tile.ts';

export const log = {
  'log.state': state,
  'log.checkpoint': checkpoint,
  'log.tile': tile,
  'log.proof': proof,
  'log.consistency': consistency,
  'log.cosign': cosign,
} satisfies HandlersOf<'log'>;
