import type { HandlersOf } from '../../server/hub/handler.ts';
import { chat } from './chat.ts';
import { compatGet } from './compatGet.ts';
import { compatList } from './compatList.ts';
import { completions } from './completions.ts';
import { list } from './list.ts';
import { receipts } from './receipts.ts';

export const models = {
  'models.list': list,
  'models.chat': chat,
  'models.receipts': receipts,
  'models.completions': completions,
  'models.compatList': compatList,
  'models.compatGet': compatGet,
} satisfies HandlersOf<'models'>;
