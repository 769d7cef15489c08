import type { HandlersOf } from '../../workflows/kernel/handler.ts';
import { remove } from './delete.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import { put } from './put.ts';
import { rename } from './rename.ts';

export const files = {
  'files.put': put,
  'files.list': list,
  'files.get': get,
  'files.rename': rename,
  'files.delete': remove,
} satisfies HandlersOf<'files'>;
