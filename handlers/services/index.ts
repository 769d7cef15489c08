import type { HandlersOf } from '../../server/hub/handler.ts';
import type { Pending } from '../pending.ts';
import { credit } from './credit.ts';

export const services = {
  'services.credit': credit,
} satisfies Omit<HandlersOf<'services'>, Pending>;
