import { SCHEMA_PRICE } from '../../domain/services/prices.ts';
import {
  schemaLines,
  SCHEMA_DEPTH_MAX,
  type SchemaText,
} from '../../domain/services/schemaLines.ts';
import { SchemaTooLarge } from '../../domain/services/schemaRefs.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { charge, knownPayingNetwork, readsOfCharge } from '../../workflows/metering/charge.ts';
import { sizeOf } from '../../workflows/services/size.ts';
import { UNTRUSTED_TEXTS } from '../untrusted.ts';

const COUNTER = 'o200k_base';
const SCHEMA_LENGTH_MAX = 65_536;

/** The JSON Schema of a tool's arguments as compact lines (choices services.tools). */
export const schemaToEnglish: Handler<'services.schemaToEnglish'> = async (call, hub) => {
  const { network: named } = call.body;
  const { account } = call.caller;
  const source = JSON.stringify(call.body.schema);
  const { lines, omitted } = linesOf(source);
  const before = await sizeOf(hub, COUNTER, source);
  const after = await sizeOf(hub, COUNTER, lines.join('\n'));
  const network = await knownPayingNetwork(hub, named, 'body.network');
  const ref = { kind: 'service', id: hub.ids.uuid() };
  const reason = 'service.schema' as const;
  const paid = { account, network, amount: SCHEMA_PRICE, reason, ref };
  const body = await hub.transactOnce(call, {
    needs: readsOfCharge(hub, paid),
    decide: (db) => ({
      lines,
      before,
      after,
      tokenCounter: COUNTER,
      omitted,
      ...UNTRUSTED_TEXTS,
      charge: charge(db, hub, paid),
    }),
  });
  return { status: 200, body };
};

function linesOf(source: string): SchemaText {
  try {
    if (source.length > SCHEMA_LENGTH_MAX) throw new SchemaTooLarge();
    return schemaLines(JSON.parse(source) as Record<string, unknown>);
  } catch (thrown) {
    if (!(thrown instanceof SchemaTooLarge)) throw thrown;
    return refuse('bad-request', {
      error: `The schema is over ${SCHEMA_LENGTH_MAX} characters, over ${SCHEMA_DEPTH_MAX} levels deep, over 2000 lines long, or has over 200 references.`,
      hint: 'Send the schema of one tool, or its parts one by one; nothing was charged.',
      field: 'body.schema',
    });
  }
}
