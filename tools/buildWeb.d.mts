/** Builds the pages into a folder, `dist/web` unless named. */
export function buildWeb(folder?: string): Promise<void>;
