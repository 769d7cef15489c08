import type { HandlersOf } from '../../workflows/kernel/handler.ts';
import { createSpace } from './createSpace.ts';
import { deleteSpace } from './deleteSpace.ts';
import { exportSpace } from './export.ts';
import { grant } from './grant.ts';
import { importLines } from './import.ts';
import { prices } from './prices.ts';
import { readSpace } from './readSpace.ts';
import { renameSpace } from './renameSpace.ts';
import { search } from './search.ts';
import { spaces } from './spaces.ts';
import { usage } from './usage.ts';
import { write } from './write.ts';

export const memory = {
  'memory.prices': prices,
  'memory.createSpace': createSpace,
  'memory.spaces': spaces,
  'memory.renameSpace': renameSpace,
  'memory.deleteSpace': deleteSpace,
  'memory.readSpace': readSpace,
  'memory.export': exportSpace,
  'memory.import': importLines,
  'memory.grant': grant,
  'memory.write': write,
  'memory.search': search,
  'memory.usage': usage,
} satisfies HandlersOf<'memory'>;
