import { sha256Hex } from '../digest.ts';
import type { ListingKind } from './listing.ts';

/**
 * Registry codes: the first 16 hex characters of a SHA-256 (interface, Registry code) over UTF-8
 * lines joined by a line feed: `hub/listing/v1`, the protocol, the origin as the URL standard
 * serializes it. A further endpoint of that protocol at that origin adds a line with its path and
 * query.
 */
const CODE_HEX = 16;

export function listingCode(kind: ListingKind, origin: string, pathAndQuery?: string): string {
  const lines = ['hub/listing/v1', kind, origin];
  if (pathAndQuery !== undefined) lines.push(pathAndQuery);
  return sha256Hex(lines.join('\n')).slice(0, CODE_HEX);
}

/** Names that rent out subdomains: the holders of two of them are not related. */
const RENTED = [
  'vercel.app',
  'netlify.app',
  'workers.dev',
  'pages.dev',
  'fly.dev',
  'onrender.com',
  'railway.app',
  'herokuapp.com',
  'run.app',
  'azurewebsites.net',
  'azurecontainerapps.io',
  'github.io',
  'ngrok.app',
  'ngrok-free.app',
  'replit.app',
  'hf.space',
  'amazonaws.com',
  'deno.dev',
];
const SECOND_LEVEL = /\.(co|com|net|org|gov|ac|edu)\.[a-z]{2}$/;

/**
 * An operator's code by host name alone: the domain under the public suffix, the whole host where
 * names are rented out, an address with its port. It groups listings and grants nothing.
 */
export function operatorCode(host: string): string {
  return sha256Hex(`hub/operator/v1\n${operatorDomain(host)}`).slice(0, CODE_HEX);
}

function operatorDomain(host: string): string {
  const name = host.replace(/:\d+$/, '');
  const labels = name.split('.');
  const isAddress = name.startsWith('[') || /^[\d.]+$/.test(name);
  if (isAddress || RENTED.some((suffix) => name.endsWith(`.${suffix}`))) return host;
  return labels.slice(SECOND_LEVEL.test(name) ? -3 : -2).join('.');
}
