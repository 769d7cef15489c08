import { charges, type Charge } from '../../../generated/charges.ts';
import { operationTable, type OperationId } from '../../../generated/operations.ts';
import type { Schemas } from '../../../workflows/kernel/answered.ts';

/** Every operation of the route index, from the table that the router itself is built of. */
export type Route = Schemas['ListedRoute'];
type Spec = (typeof operationTable)[OperationId];

const PRICES: ReadonlyMap<string, string> = new Map(
  Object.entries<Charge>(charges).map(([id, { parts }]) => [id, priceOf(parts)]),
);

export const routes: Route[] = Object.values(operationTable).map(present);

function present(spec: Spec): Route {
  const { id, method, path, summary, auth, owner, door } = spec;
  return {
    operationId: id,
    method,
    path,
    auth,
    area: id.slice(0, id.indexOf('.')),
    summary,
    owner: owner?.join('.'),
    ...(spec.idempotent === true && { onceOnly: true }),
    ...(spec.waits === true && { waits: true }),
    price: PRICES.get(id),
    mcp: door?.mcp,
    a2a: door?.a2a,
  };
}

/** `100 per file + 20 per started MB`; only what it is paid for where the amount is another's. */
function priceOf(parts: Charge['parts']): string {
  return Object.values(parts)
    .map(({ amount, unit }) => (amount === undefined ? unit : `${amount} ${unit}`))
    .join(' + ');
}
