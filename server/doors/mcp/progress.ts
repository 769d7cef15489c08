import type { RpcId } from '../jsonRpc.ts';

/** Messages that a call that waits or streams sends before its response. */

export type ProgressToken = RpcId;

/** `notifications/progress`; `progress` rises with every notification of a call. */
export function progressText(
  progressToken: ProgressToken,
  progress: number,
  said: { readonly total?: number; readonly message: string },
): string {
  const params = { progressToken, progress, ...said };
  return JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params });
}
