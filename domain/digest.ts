import { createHash } from 'node:crypto';

/** Hashes text as UTF-8. Structured values go through `canonical` (threats.hash-ambiguity). */
export function sha256(data: Uint8Array | string): Uint8Array {
  return createHash('sha256').update(data).digest();
}

export function sha512(data: Uint8Array | string): Uint8Array {
  return createHash('sha512').update(data).digest();
}

export function sha256Hex(data: Uint8Array | string): string {
  return createHash('sha256').update(data).digest('hex');
}

/** Lets in the script or style that says just this (CSP3 2.3.1, hash-source). */
export function hashSource(text: string): string {
  return `'sha256-${Buffer.from(sha256(text)).toString('base64')}'`;
}

/** Returns the hashes of the page's inline scripts or styles, as sources of its policy. */
export function inlineSources(page: string, tag: 'script' | 'style'): string {
  const parts = page.matchAll(new RegExp(`<${tag}(?: [^>]*)?>(?!</)([^]+?)</${tag}>`, 'g'));
  return [...parts].map(([, text]) => hashSource(text ?? '')).join(' ');
}
