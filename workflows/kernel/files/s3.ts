import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { defined } from '../../../domain/defined.ts';
import type { S3Settings } from '../settings.ts';
import type { BytePart, FileStore } from './fileStore.ts';
import { sweepUploads } from './uploads.ts';

/** Objects in a bucket, under a prefix. Only this file knows the client, which is large. */
export function openS3(settings: S3Settings, uploads: string): FileStore {
  const { bucket: Bucket, region, endpoint, prefix, credentials } = settings;
  const client = new S3Client({
    region,
    // Servers of one's own seldom have a name for each bucket.
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    ...defined({ credentials }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  const at = (object: string): { readonly Bucket: string; readonly Key: string } => ({
    Bucket,
    Key: `${prefix}${object}`,
  });
  const opened = async (object: string, part?: BytePart): Promise<Readable> => {
    const Range = part && `bytes=${part.start}-${part.end}`;
    const { Body } = await client.send(new GetObjectCommand({ ...at(object), Range }));
    if (Body instanceof Readable) return Body;
    throw new Error(`no bytes of ${object}`);
  };
  return {
    uploads,
    sweepUploads: (olderMs) => sweepUploads(uploads, olderMs),
    async put(object, path) {
      const { size } = await stat(path);
      const Body = createReadStream(path);
      await client.send(new PutObjectCommand({ ...at(object), Body, ContentLength: size }));
    },
    open: opened,
    async copy(object, path) {
      await pipeline(await opened(object), createWriteStream(path, { flags: 'wx' }));
    },
    async remove(object) {
      await client.send(new DeleteObjectCommand(at(object)));
    },
    async close() {
      await Promise.resolve(client.destroy());
    },
  };
}
