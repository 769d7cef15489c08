import { coverageGaps } from './base.ts';
import { fieldValue, readFields, readMessage, type Fields, type RawRequest } from './message.ts';
import { listsIn } from './parse.ts';
import { notCovered, refusal, type Refusal } from './refusal.ts';

/** One thing that a request lacks: a header, a parameter of Signature-Input or a component. */
export type Gap = Refusal & { readonly component: string };

const HEADERS = ['Signature-Input', 'Signature'] as const;
const PARAMETERS = ['created', 'keyid', 'alg', 'nonce'] as const;

/**
 * Finds all that a refused request lacks, so that one correction is enough. The checks stop at the
 * first, because a request that is refused must cost little.
 */
export function gapsOf(request: RawRequest): readonly Gap[] {
  const fields = readFields(request.headers);
  const missing = HEADERS.filter((name) => !fields.has(name.toLowerCase())).map((name) =>
    gap('unsigned', `the ${name} header is missing`, name.toLowerCase()),
  );
  const hasBody = request.announcesBody ?? request.body.length > 0;
  const lacksDigest = hasBody && !fields.has(DIGEST);
  const inside = gapsInside(request, fields);
  const isCovered = inside.every(({ component }) => component !== DIGEST);
  const others = inside.filter(({ component }) => !(lacksDigest && component === DIGEST));
  if (!lacksDigest) return [...missing, ...others];
  const reason = isCovered ? 'digest-mismatch' : 'incomplete-coverage';
  const more = isCovered ? '' : `, and ${notCovered(DIGEST)}`;
  return [
    ...[...missing, ...others],
    gap(reason, `the Content-Digest header is missing${more}`, DIGEST),
  ];
}

const DIGEST = 'content-digest';

/** Finds the parameters and components that the first signature of ours lacks. */
function gapsInside(request: RawRequest, fields: Fields): readonly Gap[] {
  const [list] = listsIn(fieldValue(fields, 'signature-input') ?? '') ?? [];
  if (list === undefined) return [];
  const [items, parameters] = list;
  const absent = PARAMETERS.filter((name) => !parameters.has(name)).map((name) =>
    gap('unsigned', `the parameter ${name} is missing`, `signature-input.${name}`),
  );
  const message = readMessage(request, fields, []);
  if ('reason' in message) return absent;
  const covered = items.map(([name]) => String(name));
  const open = coverageGaps(message, covered).map((name) =>
    gap('incomplete-coverage', notCovered(name), name),
  );
  return [...absent, ...open];
}

function gap(reason: Gap['reason'], detail: string, component: string): Gap {
  return { ...refusal(reason, detail), component };
}
