import type { HandlersOf } from '../../server/handler.ts';
import type { Pending } from '../pending.ts';
import { karma } from './karma.ts';

export const passport = {
  'passport.karma': karma,
} satisfies Omit<HandlersOf<'passport'>, Pending>;
