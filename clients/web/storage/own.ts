import type { Hub } from '../../typescript/hub.ts';
import type { Got } from '../types.ts';

export interface StorageProps {
  readonly hub: Hub;
  readonly account: string;
  /** Asks for what is stored again, because it changed. */
  readonly changed: () => void;
}

export type Space = Got<'/api/v1/memory/spaces'>['spaces'][number];
export type StoredNote = Got<'/api/v1/memory/spaces/{id}'>['notes'][number];
export type StoredFile = Got<'/api/v1/files/{owner}'>['files'][number];
export type Hosted = Got<'/api/v1/hosted'>['listings'][number];
