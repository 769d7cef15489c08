import type { ParameterizedContext } from 'koa';
import type { Identity } from '../dispatch.ts';
import type { RateNote } from '../limits.ts';
import type { OperationSpec } from '../operation.ts';

/** What the pipeline learns of a request on its way in, in this order. */
export interface State {
  requestId: string;
  /** Raw request target, taken before anything could rewrite it. */
  target: string;
  rate: RateNote;
  /** Whether the request has been counted against its address or its account. */
  counted: boolean;
  spec: OperationSpec;
  path: Readonly<Record<string, string>>;
  rawBody: Uint8Array;
  identity: Identity;
}
export type HubContext = ParameterizedContext<State>;
export type Next = () => Promise<void>;

/** The undecoded path of a raw request target. */
export function pathOf(target: string): string {
  const cut = target.indexOf('?');
  return cut < 0 ? target : target.slice(0, cut);
}

/** The undecoded query of a raw request target; empty for `/p` and for `/p?`. */
export function queryOf(target: string): string {
  const cut = target.indexOf('?');
  return cut < 0 ? '' : target.slice(cut + 1);
}
