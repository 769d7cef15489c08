import type { HandlersOf } from '../../workflows/kernel/handler.ts';
import { abandon } from './abandon.ts';
import { create } from './create.ts';
import { get } from './get.ts';
import { list } from './list.ts';

export const chains = {
  'chains.create': create,
  'chains.list': list,
  'chains.get': get,
  'chains.abandon': abandon,
} satisfies HandlersOf<'chains'>;
