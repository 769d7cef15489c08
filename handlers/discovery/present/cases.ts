import { type CaseResult, netOf } from '../../../domain/cases/shape.ts';
import type { Schemas } from '../../../workflows/kernel/answered.ts';
import { ASSET } from '../../../domain/network.ts';

export function presentResult(result: CaseResult): Schemas['CaseResult'] {
  return { ...result, net: netOf(result), asset: ASSET };
}
