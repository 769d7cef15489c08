import type { HandlersOf } from '../../workflows/kernel/handler.ts';
import { chat } from './chat.ts';
import { compatGet } from './compatGet.ts';
import { compatList } from './compatList.ts';
import { completions } from './completions.ts';
import { embeddings } from './embeddings.ts';
import { generate } from './generate.ts';
import { list } from './list.ts';
import { messages } from './messages.ts';
import { receipts } from './receipts.ts';
import { responses } from './responses.ts';

export const models = {
  'models.list': list,
  'models.chat': chat,
  'models.receipts': receipts,
  'models.completions': completions,
  'models.embeddings': embeddings,
  'models.responses': responses,
  'models.messages': messages,
  'models.generate': generate,
  'models.compatList': compatList,
  'models.compatGet': compatGet,
} satisfies HandlersOf<'models'>;
