import { FILE_DOOR_BYTES_MAX } from '../../domain/memory/limits.ts';
import type { Dispatcher } from '../dispatch/dispatch.ts';
import type { AnyReply } from '../http/wire.ts';
import { refuse, wireRefusal, type WireRefusal } from '../../workflows/kernel/errors.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import { rulingOf } from '../../workflows/kernel/keyRuling.ts';
import type { Identities } from '../http/identity.ts';
import type { Limits } from '../http/limits.ts';
import { Facts, type Exchange, type Identified } from '../middleware/exchange.ts';
import { countCaller } from '../middleware/rateLimit.ts';
import { identify, judgeHead } from '../middleware/signature.ts';
import type { OperationSpec } from '../../workflows/kernel/operation.ts';
import { wireInput, type Arguments } from './arguments.ts';
import { withKeyInBody } from '../dispatch/keyHeader.ts';
import { withBytes, withUpload } from './files.ts';

/**
 * How an agent door runs one operation of a request: caller, allowances, then `dispatch`, as over
 * HTTP. Refusals come back as data for the envelopes of the protocols; nothing throws.
 */
export interface Operations {
  /** Identifies the caller and counts on both allowances; refused with a 401 or `rate-limited`. */
  admit(exchange: Exchange, spec: OperationSpec): Promise<Admission>;
  /** Checks the arguments, takes the nonce, runs the handler. */
  run(admitted: Identified, input: OperationInput): Promise<Outcome>;
  /** Takes the nonce of a signed request without an operation; refused with `replayed`. */
  spend(admitted: Identified): Promise<Refusal | undefined>;
  /** The refusal in something thrown later, such as by a reply's stream; a bug is logged. */
  refusalOf(exchange: Exchange, thrown: unknown): Refusal;
}

interface OperationInput {
  readonly arguments: Arguments;
  /** A payment or a key that stood elsewhere in the message, as the header that it is over HTTP. */
  readonly header?: Readonly<Record<string, string>> | undefined;
  /** Raised when the caller took the call back; a closed connection counts without it. */
  readonly cancelled?: AbortSignal | undefined;
  /** The call outlives its connection: only `cancelled` takes it back. */
  readonly detached?: boolean;
}

type Admission = { readonly kind: 'admitted'; readonly call: Identified } | Refusal;
export type Outcome = { readonly kind: 'reply'; readonly reply: AnyReply } | Refusal;
export interface Refusal {
  readonly kind: 'refusal';
  /** Status, headers and the whole error body, as the HTTP door would answer them. */
  readonly refusal: WireRefusal;
}

export interface OperationsParts {
  readonly hub: Hub;
  readonly identities: Identities;
  readonly limits: Limits;
  readonly dispatch: Dispatcher;
}

export function openOperations(parts: OperationsParts): Operations {
  const { hub, identities, limits, dispatch } = parts;
  const refusalOf = (exchange: Exchange, thrown: unknown, spec?: OperationSpec): Refusal => {
    const { requestId } = exchange;
    const refusal = wireRefusal(thrown, requestId, hub.settings.baseUrl, spec?.method);
    if (refusal.body.code === 'internal') hub.log.error({ err: thrown, requestId }, 'bug');
    return { kind: 'refusal', refusal };
  };
  return {
    refusalOf,
    async admit(exchange, spec) {
      try {
        const claim = await judgeHead({ exchange, spec }, identities, hub.clock);
        const identity = await identify({ exchange, spec, claim }, identities, hub.clock, limits);
        const call = { exchange, spec, identity };
        countCaller(call, limits);
        return { kind: 'admitted', call };
      } catch (thrown) {
        return refusalOf(exchange, thrown, spec);
      }
    },
    async run({ exchange, spec, identity }, input) {
      try {
        const header = { ...exchange.request.headers, ...input.header };
        const given = withKeyInBody(spec, wireInput(spec, input.arguments, header));
        const wire = await withUpload(exchange, spec, given, hub.files.uploads);
        const facts = new DoorFacts(exchange, wire.body, input);
        const reply = await dispatch(spec, wire, identity, facts);
        return { kind: 'reply', reply: await withBytes(reply) };
      } catch (thrown) {
        return refusalOf(exchange, thrown, spec);
      }
    },
    async spend({ exchange, identity }) {
      if (identity.kind !== 'signer') return undefined;
      try {
        const isFresh = await hub.callers.consumeNonce(identity, rulingOf(identity.account));
        if (!isFresh) refuse('replayed');
        return undefined;
      } catch (thrown) {
        return refusalOf(exchange, thrown);
      }
    },
  };
}

class DoorFacts extends Facts {
  readonly fileBytesMax = FILE_DOOR_BYTES_MAX;
  readonly #cancelled: AbortSignal | undefined;
  readonly #detached: boolean;

  constructor(exchange: Exchange, wireBody: unknown, { cancelled, detached }: OperationInput) {
    super(exchange, wireBody);
    this.#cancelled = cancelled;
    this.#detached = detached === true;
  }

  override get gone(): AbortSignal {
    if (this.#cancelled === undefined) return super.gone;
    return this.#detached ? this.#cancelled : AbortSignal.any([this.#cancelled, super.gone]);
  }
}
