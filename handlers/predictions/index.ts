import type { HandlersOf } from '../../workflows/kernel/handler.ts';
import { bet } from './bet.ts';
import { create } from './create.ts';
import { due } from './due.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import { positions } from './positions.ts';
import { rehearse } from './rehearse.ts';
import { resolve } from './resolve.ts';

export const predictions = {
  'predictions.bet': bet,
  'predictions.create': create,
  'predictions.due': due,
  'predictions.get': get,
  'predictions.list': list,
  'predictions.positions': positions,
  'predictions.rehearse': rehearse,
  'predictions.resolve': resolve,
} satisfies HandlersOf<'predictions'>;
