import { LENGTHS } from '../../harness/lengths.ts';
import { walk } from '../../kinds/simulate/walk.ts';
import { playMemory } from './driver.ts';

walk('memory and files and an independent model of them', {
  // Short runs of this one meet all that has to be met.
  seed: 5,
  operations: LENGTHS.memoryOperations,
  matched: [
    'added',
    'overwritten',
    'duplicate',
    'repeated',
    'found',
    'nothing found',
    'write: not-granted',
    'write: memory-read-only',
    'write: insufficient-funds',
    'search: insufficient-funds',
    'grant: wrong-mode',
    'grant: self-dealing',
    'put',
    'replaced',
    'put, repeated',
    'put: storage-full',
    'put: memory-read-only',
    'put: insufficient-funds',
    'get',
    'get: wrong-owner',
    'get: not-found',
    'shared',
    'kept for an hour',
    'swept',
  ],
  play: playMemory,
});
