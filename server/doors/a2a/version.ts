/** An answer has the spelling of its method; a named version is only refused (A2A 1.0, 3.6). */
export type Version = '1.0' | '0.3';

export const VERSIONS: readonly Version[] = ['1.0', '0.3'];
