import { go } from '../navigation.ts';
import { pathTo } from '../routes.ts';

export const openTable = (id: string): void => go(pathTo(`tables/${id}`));
