import type { OperationId } from '../generated/operations.ts';
import { refuse } from '../server/hub/errors.ts';
import type { Handlers } from '../server/hub/handler.ts';

/** Operations of the contract whose handlers are not written yet. The list only shrinks. */
export const PENDING = [
] as const satisfies readonly OperationId[];
export type Pending = (typeof PENDING)[number];

const notBuilt = async (): Promise<never> => refuse('not-built');

type NotBuilt = Record<Pending, () => Promise<never>>;

/** Each of them answers 501 with a proper error body. */
export const pending: Pick<Handlers, Pending> = Object.fromEntries(
  PENDING.map((id) => [id, notBuilt]),
) as Partial<NotBuilt> as NotBuilt;
