import { type CaseResult, netOf } from '../../../domain/cases/shape.ts';
import type { components } from '../../../generated/types.ts';
import { ASSET } from '../../../domain/network.ts';

export function presentResult(result: CaseResult): components['schemas']['CaseResult'] {
  return { ...result, net: `${netOf(result)}`, asset: ASSET };
}
