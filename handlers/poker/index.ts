import type { HandlersOf } from '../../workflows/kernel/handler.ts';
import { act } from './act.ts';
import { create } from './create.ts';
import { get } from './get.ts';
import { hands } from './hands.ts';
import { leave } from './leave.ts';
import { list } from './list.ts';
import { positions } from './positions.ts';
import { seat } from './seat.ts';
import { sit } from './sit.ts';

export const poker = {
  'poker.act': act,
  'poker.create': create,
  'poker.get': get,
  'poker.hands': hands,
  'poker.leave': leave,
  'poker.list': list,
  'poker.positions': positions,
  'poker.seat': seat,
  'poker.sit': sit,
} satisfies HandlersOf<'poker'>;
