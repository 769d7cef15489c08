import type { HandlersOf } from '../../workflows/kernel/handler.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import { register } from './register.ts';
import { resign } from './resign.ts';

export const validators = {
  'validators.get': get,
  'validators.list': list,
  'validators.register': register,
  'validators.resign': resign,
} satisfies HandlersOf<'validators'>;
