/** Parses untrusted JSON; returns undefined in place of an exception. */
export function parseUntrustedJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}
