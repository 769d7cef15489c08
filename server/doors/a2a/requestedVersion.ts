import type { Exchange } from '../../middleware/exchange.ts';
import { A2aError, VERSION_NOT_SUPPORTED } from './errors.ts';
import { VERSIONS, type Version } from './version.ts';
import { head } from '../../../domain/text.ts';

const GRAMMAR = /^(\d{1,4})(?:\.(\d{1,4})(?:\.\d{1,4})?)?$/;
const SHOWN_MAX = 40;

/**
 * Returns the version in the header `A2A-Version` or the query parameter of that name, or 0.3
 * without either. A patch number is ignored.
 * @throws A2aError -32009 for a version that is not served.
 */
export function requestedVersion(exchange: Exchange): Version {
  const header = exchange.request.headers['a2a-version'];
  const given = header ?? new URLSearchParams(exchange.rawQuery).get('A2A-Version') ?? '';
  const text = String(given).trim();
  if (text === '') return '0.3';
  const [, major, minor = '0'] = GRAMMAR.exec(text) ?? [];
  const version = VERSIONS.find((each) => each === `${Number(major)}.${Number(minor)}`);
  if (version !== undefined) return version;
  const shown = JSON.stringify(head(text, SHOWN_MAX));
  throw new A2aError(VERSION_NOT_SUPPORTED, `Version not supported: ${shown}`, {
    hint: `Send A2A-Version: ${VERSIONS.join(' or ')}.`,
  });
}
