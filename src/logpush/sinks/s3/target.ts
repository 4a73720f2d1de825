import type { Checked } from '../../../model/problem.ts'
import { accept } from '../../problems.ts'
import { maskedText } from '../secrets.ts'
import type { SinkKind, Target } from '../sink.ts'
import { parseS3Settings, type S3Settings } from './settings.ts'

const keys = ['access-key-id', 'secret-access-key']

/**
 * `s3://bucket/folder?region=R[&endpoint=HOST][&access-key-id=K&secret-access-key=S][&sse=AES256][&addressing=host][&manifest=hourly]`.
 * `endpoint` is a host; `http://host:port` is accepted too, for servers on the same machine.
 * @source Cloudflare, "Enable Logpush to Amazon S3" and "to S3-compatible storage"
 */
export const s3Sink: SinkKind = {
  scheme: 's3',
  parse(destinationConf): Checked<Target> {
    const settings = parseS3Settings(destinationConf)
    return settings.ok ? accept(s3Target(settings.value, destinationConf)) : settings
  },
}

/** A destination that implements S3, with any scheme. */
export function s3Target(settings: S3Settings, destinationConf: string): Target {
  return {
    needsOwnership: settings.credentials === undefined,
    folder: settings.folder,
    objects: true,
    masked: maskedText(destinationConf, { parameter: name => !keys.includes(name), path: true }),
    manifest: settings.manifest,
    open: async ({ reach }) => {
      const { openS3 } = await import('./deliver.ts')
      return openS3(settings, reach)
    },
  }
}
