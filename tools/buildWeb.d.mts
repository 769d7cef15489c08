/** Builds the pages into a folder, `dist/web` unless named; `hub` when another origin serves them. */
export function buildWeb(folder?: string, options?: { readonly hub?: string }): Promise<void>;
