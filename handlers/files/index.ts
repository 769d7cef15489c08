import type { HandlersOf } from '../../server/hub/handler.ts';
import { get } from './get.ts';
import { put } from './put.ts';

export const files = {
  'files.put': put,
  'files.get': get,
} satisfies HandlersOf<'files'>;
