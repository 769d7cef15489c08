import { gapsOf } from '../../domain/httpsig/gaps.ts';
import type { RawRequest } from '../../domain/httpsig/message.ts';
import { shorten } from '../../domain/text.ts';
import type { ErrorCode } from '../../generated/errors.ts';
import type { components } from '../../generated/types.ts';
import { HubError } from './errors.ts';
import { defined } from '../../domain/defined.ts';

/** One thing that is wrong with a refused call; what takes the call stops at the first. */
type Fault = components['schemas']['Fault'];

const FAULTS_MAX = 20;
const MESSAGE_MAX = 300;
const NAME_MAX = 64;
const FIELD_MAX = 300;
const ALLOWED_MAX = 60;

/** A refusal of one place in the form of a list's item. */
export function faultOf({ code, detail, message }: HubError, nearest?: string): Fault {
  const { field = '', allowed } = detail;
  return {
    field: shorten(field, FIELD_MAX),
    code,
    message: shorten(message, MESSAGE_MAX),
    ...(allowed !== undefined && {
      allowed: allowed.slice(0, ALLOWED_MAX).map((each) => shorten(each, NAME_MAX)),
    }),
    ...defined({ nearest }),
  };
}

/** The refusal with its faults, its own first, one for each place. */
export function withFaults(refusal: HubError, others: readonly Fault[]): HubError {
  const [own = faultOf(refusal)] = others.filter(({ field }) => field === refusal.detail.field);
  const all = [own, ...others];
  const faults = all.filter(({ field }, n) => all.findIndex((each) => each.field === field) === n);
  return refusal.with({ detail: { ...refusal.detail, faults: faults.slice(0, FAULTS_MAX) } });
}

const INCOMPLETE: readonly ErrorCode[] = ['unsigned', 'incomplete-coverage', 'digest-mismatch'];

/** The refusal of a request that lacks something of its signature, with all that it lacks. */
export function withGaps(refusal: HubError, request: RawRequest): HubError {
  const { code, detail } = refusal;
  if (!INCOMPLETE.includes(code)) return refusal;
  const gaps = gapsOf(request);
  const own = gaps.find(({ reason }) => reason === code)?.component ?? 'signature-input';
  const { field = own } = detail;
  const faults = gaps.map(({ reason, ...gap }) =>
    faultOf(new HubError(reason, { error: `${gap.detail}.`, field: gap.component }, {})),
  );
  return withFaults(refusal.with({ detail: { ...detail, field } }), faults);
}
