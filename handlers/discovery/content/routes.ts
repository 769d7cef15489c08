import { defined } from '../../../domain/defined.ts';
import { operationTable, type OperationId } from '../../../generated/operations.ts';
import type { components } from '../../../generated/types.ts';

/**
 * Every operation as the route index shows it, from the table that the router itself is built of.
 */
export type Route = components['schemas']['Route'];
type Spec = (typeof operationTable)[OperationId];

export const routes: Route[] = Object.values(operationTable).map(present);

function present(spec: Spec): Route {
  const { id, method, path, summary, auth, owner, charge, door } = spec;
  return {
    operationId: id,
    method,
    path,
    auth,
    area: id.slice(0, id.indexOf('.')),
    summary,
    ...(owner !== undefined && { owner: owner.join('.') }),
    ...(spec.idempotent === true && { onceOnly: true }),
    ...(spec.waits === true && { waits: true }),
    ...(charge !== undefined && { price: charge.price }),
    ...defined({ mcp: door?.mcp, a2a: door?.a2a }),
  };
}
