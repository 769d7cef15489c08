import { errorTable, type ErrorCode } from '../../generated/errors.ts';
import { operationTable } from '../../generated/operations.ts';
import type { components } from '../../generated/types.ts';

/** A code with its cause, its remedy and the operations that can give it. */
export type Explanation = components['schemas']['ErrorExplanation'];
type Applies = Explanation['applies'];

const specs = Object.values(operationTable);

/** Groups that whole sets of operations share; a code that fits none is told by its own list. */
const GROUPS: readonly (readonly [Applies, readonly string[]])[] = [
  ['every', specs.map(({ id }) => id)],
  ['signed', named(({ auth }) => auth === 'signed' || auth === 'optional')],
  ['body', named(({ body }) => body !== undefined)],
  ['owner', named(({ owner }) => owner !== undefined)],
];

function named(has: (spec: (typeof specs)[number]) => boolean): readonly string[] {
  return specs.filter(has).map(({ id }) => id);
}

export const CODES: readonly ErrorCode[] = Object.values(errorTable).map(({ code }) => code);

export function isCode(text: string): text is ErrorCode {
  return Object.hasOwn(errorTable, text);
}

export function explain(code: ErrorCode, baseUrl: string): Explanation {
  const { status, family, says, cause, hint, example } = errorTable[code];
  const operations = specs.filter(({ errors }) => errors.includes(code)).map(({ id }) => id);
  const group = GROUPS.find(
    ([, ids]) => ids.length === operations.length && ids.every((id) => operations.includes(id)),
  );
  return {
    code,
    status,
    family,
    applies: group?.[0] ?? 'specific',
    says,
    cause,
    hint,
    example: { ...example },
    operations: group === undefined ? operations : [],
    url: `${baseUrl}/errors/${code}`,
  };
}
