/**
 * The two spellings of the protocol. A message is answered in the spelling of its method, because
 * that one cannot be mistaken; the version that it names can only be refused (A2A 1.0, 3.6).
 */
export type Version = '1.0' | '0.3';

export const VERSIONS: readonly Version[] = ['1.0', '0.3'];
