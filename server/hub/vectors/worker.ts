import { MessagePort, workerData } from 'node:worker_threads';
import { openArena } from './arena.ts';
import { openBlock, type Block, type VectorRow } from './block.ts';
import type { VectorReply, VectorRequest, VectorStart, VectorTask } from './protocol.ts';

/**
 * The vector worker: blocks by space, and one task after the other. The hub decides what it keeps.
 */
const arena = openArena();
const blocks = new Map<number, Block>();
const { port } = vectorStart(workerData);

port.on('message', ({ id, task }: VectorRequest) => {
  port.postMessage(reply(id, task));
});
port.postMessage({ is: 'ready' } satisfies VectorReply);

function reply(id: number, task: VectorTask): VectorReply {
  try {
    return { is: 'done', id, ...run(task) };
  } catch (error) {
    const why = error instanceof Error ? (error.stack ?? error.message) : 'thrown';
    return { is: 'fault', id, why };
  }
}

function run(task: VectorTask): Pick<VectorReply & { readonly is: 'done' }, 'hits' | 'bytes'> {
  switch (task.is) {
    case 'take': {
      const block = blocks.get(task.space) ?? openBlock(arena);
      blocks.set(task.space, block);
      block.take(rowsIn(task.rows));
      return { hits: [], bytes: block.bytes() };
    }
    case 'search': {
      const block = blocks.get(task.space);
      const hits = block?.nearest(task.query, task.k) ?? [];
      return { hits, bytes: block?.bytes() ?? 0 };
    }
    case 'scan': {
      const block = openBlock(arena);
      block.take(rowsIn(task.rows));
      const hits = block.nearest(task.query, task.k);
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

function vectorStart(data: unknown): VectorStart {
  if (
    typeof data === 'object' &&
    data !== null &&
    'port' in data &&
    data.port instanceof MessagePort
  ) {
    return { port: data.port };
  }
  throw new TypeError('this file is the entry of a vector worker');
}
