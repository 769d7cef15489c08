import type { HandlersOf } from '../../workflows/kernel/handler.ts';
import { call } from './call.ts';
import { receipts } from './receipts.ts';

export const router = {
  'router.call': call,
  'router.receipts': receipts,
} satisfies HandlersOf<'router'>;
