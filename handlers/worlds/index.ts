import type { HandlersOf } from '../../workflows/kernel/handler.ts';
import { advance } from './advance.ts';
import { close } from './close.ts';
import { open } from './open.ts';
import { read } from './read.ts';

export const worlds = {
  'worlds.open': open,
  'worlds.read': read,
  'worlds.advance': advance,
  'worlds.close': close,
} satisfies HandlersOf<'worlds'>;
