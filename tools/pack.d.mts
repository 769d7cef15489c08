/** Builds and packs a package of this repository into `file`. Returns its integrity hash. */
export function pack(
  name: 'client' | 'conformance',
  file: string,
  options?: { readonly repository?: string; readonly isBuilt?: boolean },
): Promise<string>;
