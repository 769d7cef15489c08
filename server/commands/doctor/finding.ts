import { defined } from '../../../domain/defined.ts';
/** One line of `hubctl doctor`. */
export interface Finding {
  readonly state: 'ok' | 'off' | 'warn' | 'fail';
  readonly area: string;
  readonly text: string;
  readonly remedy?: string;
}

type Make = (area: string, text: string, remedy?: string) => Finding;
const make =
  (state: Finding['state']): Make =>
  (area, text, remedy) => ({ state, area, text, ...defined({ remedy }) });

export const ok = make('ok');
export const off = make('off');
export const warn = make('warn');
export const fail = make('fail');
