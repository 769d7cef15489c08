import type { HandlersOf } from '../../workflows/kernel/handler.ts';
import { list } from './list.ts';
import { register } from './register.ts';
import { resign } from './resign.ts';

export const validators = {
  'validators.list': list,
  'validators.register': register,
  'validators.resign': resign,
} satisfies HandlersOf<'validators'>;
