import type { HandlersOf } from '../../workflows/kernel/handler.ts';
import { cardRead } from './cardRead.ts';
import { compressPrompt } from './compressPrompt.ts';
import { credit } from './credit.ts';
import { schemaToEnglish } from './schemaToEnglish.ts';

export const services = {
  'services.credit': credit,
  'services.compressPrompt': compressPrompt,
  'services.cardRead': cardRead,
  'services.schemaToEnglish': schemaToEnglish,
} satisfies HandlersOf<'services'>;
