import type { HandlersOf } from '../../workflows/kernel/handler.ts';
import { claim } from './claim.ts';
import { claimEndpoint } from './claimEndpoint.ts';
import { claimable } from './claimable.ts';
import { create } from './create.ts';
import { get } from './get.ts';
import { karma } from './karma.ts';
import { names } from './names.ts';
import { verify } from './verify.ts';

export const passport = {
  'passport.claim': claim,
  'passport.claimEndpoint': claimEndpoint,
  'passport.claimable': claimable,
  'passport.create': create,
  'passport.get': get,
  'passport.karma': karma,
  'passport.names': names,
  'passport.verify': verify,
} satisfies HandlersOf<'passport'>;
