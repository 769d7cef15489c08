import { minute, type Minute } from '../../domain/time/minute.ts';
import { column, type Column } from '../batch/columns.ts';
import { textOf, wholeOf } from '../columns.ts';

/** The first moment of a minute. */
export function minuteColumn(): Column<Minute> {
  return column<Minute>('int', Number, (cell, name) => minute(wholeOf(cell, name)));
}

/** Hashes one after the other, as base64. */
export function hashesColumn(): Column<Uint8Array> {
  return column<Uint8Array>(
    'text',
    (hashes) => Buffer.from(hashes).toString('base64'),
    (cell, name) => Buffer.from(textOf(cell, name), 'base64'),
  );
}
