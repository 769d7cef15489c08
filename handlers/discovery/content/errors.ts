import { errorTable, type ErrorCode } from '../../../generated/errors.ts';
import { operationTable } from '../../../generated/operations.ts';
import type { Schemas } from '../../../workflows/kernel/answered.ts';

export type Explanation = Schemas['ErrorExplanation'];

const specs = Object.values(operationTable);

export const CODES: readonly ErrorCode[] = Object.values(errorTable).map(({ code }) => code);

const LISTING = new Map(
  CODES.map((code) => [
    code,
    specs.filter(({ errors }) => errors.includes(code)).map(({ id }) => id),
  ]),
);

export function isCode(text: string): text is ErrorCode {
  return Object.hasOwn(errorTable, text);
}

export function explain(code: ErrorCode, baseUrl: string): Explanation {
  const { status, family, applies, retry, says, cause, hint, example } = errorTable[code];
  return {
    code,
    status,
    family,
    applies,
    retry,
    says,
    cause,
    hint,
    example: { ...example },
    operations: applies === 'specific' ? (LISTING.get(code) ?? []) : [],
    url: `${baseUrl}/errors/${code}`,
  };
}
