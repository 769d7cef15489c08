/** Writes the files of an operation and the lines that register it, below the current folder. */
export function newOperation(id: string, method?: 'GET' | 'POST', path?: string): Promise<void>;
