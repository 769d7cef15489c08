import { join } from 'node:path';
import type { Settings } from '../settings.ts';
import { openFolder } from './folder.ts';
import type { FileStore } from './fileStore.ts';

/** The store that the settings name. The S3 client is loaded by hubs that use it alone. */
export async function openFiles({ dataDir, filesS3 }: Settings): Promise<FileStore> {
  const uploads = join(dataDir, 'uploads');
  if (filesS3 === undefined) return openFolder(join(dataDir, 'files'), uploads);
  const { openS3 } = await import('./s3.ts');
  return openS3(filesS3, uploads);
}
