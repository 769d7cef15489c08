import { call } from './call.ts';
import { bet, openMarket } from './market.ts';
import { search, write } from './memory.ts';
import { model } from './model.ts';
import { pay } from './pay.ts';
import { poker } from './poker.ts';
import { read } from './read.ts';
import { stamp } from './stamp.ts';
import { task } from './task.ts';
import type { Activity } from '../world.ts';

/** The activities of an agent, with how often in a thousand each is next. */
export const ACTIVITIES: readonly (readonly [name: string, share: number, run: Activity])[] = [
  ['read', 270, read],
  ['pay', 240, pay],
  ['task', 110, task],
  ['poker', 110, poker],
  ['memory write', 70, write],
  ['memory search', 50, search],
  ['call', 60, call],
  ['model', 45, model],
  ['bet', 30, bet],
  ['stamp', 14, stamp],
  ['market', 1, openMarket],
];
