import { refuse } from '../../workflows/kernel/errors.ts';
import type { OperationSpec } from '../../workflows/kernel/operation.ts';
import type { Route, Routes } from '../http/routes.ts';
import { WORLDS_PATH } from '../../workflows/kernel/worlds.ts';
import type { Exchange } from './exchange.ts';
import { head } from '../../domain/text.ts';

/** Finds the path by its raw text; refuses one that the contract does not have. */
export function route({ rawPath }: Exchange, routes: Routes): Route {
  const found = routes.find(rawPath);
  if (found !== undefined) return found;
  if (rawPath.startsWith(WORLDS_PATH)) {
    refuse('no-route', {
      error: 'This test world has ended, or it is at another process of the hub.',
      hint: 'Open one with `POST /api/v1/me/world` at the address of the hub itself.',
    });
  }
  return refuse('no-route', { error: `No route ${JSON.stringify(head(rawPath, 200))}.` });
}

/** The operation of a path under the request's method. */
export function operationOf({ method, rawPath }: Exchange, found: Route): OperationSpec {
  const spec = found.methods.get(method);
  if (spec !== undefined) return spec;
  const error = `${method} is not a method of ${head(rawPath, 200)}; it answers ${found.allow}.`;
  const allowed = found.allow.split(', ');
  return refuse('method-not-allowed', { error, allowed }, { allow: found.allow });
}
