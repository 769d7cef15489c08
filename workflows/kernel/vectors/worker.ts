import { serve } from '../threads/serve.ts';
import { openArena } from './arena.ts';
import { openBlock, type Block, type VectorRow } from './block.ts';
import type { VectorAnswer, VectorTask } from './protocol.ts';

/** The vector worker: blocks by space, one task after the other; the hub decides what is kept. */
const arena = openArena();
const blocks = new Map<number, Block>();

serve(run);

function run(task: VectorTask): VectorAnswer {
  switch (task.is) {
    case 'take': {
      const block = blocks.get(task.space) ?? openBlock(arena, task.dimensions);
      blocks.set(task.space, block);
      block.take(rowsIn(task.rows));
      return { hits: [], bytes: block.bytes() };
    }
    case 'search': {
      const block = blocks.get(task.space);
      const hits = block?.nearest(task.query, task.k, task.among) ?? [];
      return { hits, bytes: block?.bytes() ?? 0 };
    }
    case 'scan': {
      const block = openBlock(arena, task.query.length);
      block.take(rowsIn(task.rows));
      const hits = block.nearest(task.query, task.k, task.among);
      block.free();
      return { hits, bytes: 0 };
    }
    case 'drop':
      blocks.get(task.space)?.free();
      blocks.delete(task.space);
      return { hits: [], bytes: 0 };
  }
}

function rowsIn(text: string): readonly VectorRow[] {
  return JSON.parse(text) as readonly VectorRow[];
}
