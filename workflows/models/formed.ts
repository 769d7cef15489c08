import type { JsonObject } from '../../domain/jsonObject.ts';
import { FormFault, type FormedAsk } from '../../domain/models/forms/fault.ts';
import { defined } from '../../domain/defined.ts';
import type { AnswerPiece } from '../../domain/models/piece.ts';
import { HubError } from '../kernel/errors.ts';
import { faultOf, withFaults } from '../kernel/faultList.ts';
import { wishesOf } from './wishes.ts';

/** The call that a request of another form asks for; what cannot be handed on is refused by its name. */
export function formed(
  read: (body: JsonObject) => FormedAsk,
  { models, provider, ...body }: JsonObject,
): FormedAsk & ReturnType<typeof wishesOf> {
  try {
    return { ...read(body), ...wishesOf({ models, provider }) };
  } catch (thrown) {
    if (!(thrown instanceof FormFault)) throw thrown;
    const { code, message: error, field, hint, strange } = thrown;
    const refusal = new HubError(code, { error, field, ...defined({ hint }) }, {});
    const faults = strange.map(({ nearest, ...each }) =>
      faultOf(new HubError(code, each, {}), nearest),
    );
    throw faults.length > 0 ? withFaults(refusal, faults) : refusal;
  }
}

/** Puts a whole answer together; the events of its stream are not sent. */
export async function drained(
  pieces: AsyncIterable<AnswerPiece>,
  made: { take(piece: AnswerPiece): Iterable<unknown> },
): Promise<void> {
  for await (const piece of pieces) Array.from(made.take(piece));
}
