import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../kit/package-root.ts'
import type { Settings } from '../../model/settings/index.ts'
import { type Store, schemaNumber } from '../../store/index.ts'
import type { Logger } from '../observe/logger.ts'
import { installedCipher } from '../state/stores.ts'
import { CopyFile } from './copy-file.ts'
import { EdgeCopy, isComplete } from './edge-copy.ts'

const fileName = 'edge-copy.sqlite'

/** The copy on this disk, before the database is open. */
export interface FoundCopy {
  /** The edge can start with it alone. */
  readonly isComplete: boolean
  over(store: Store): EdgeCopy
  close(): void
}

/** Undefined, with a line in the log, if the file cannot be used: the edge then needs its database. */
export async function findEdgeCopy(settings: Settings, logger: Logger): Promise<FoundCopy | undefined> {
  const cipher = await installedCipher(settings)
  const path = join(settings.data, fileName)
  const program = programName()
  try {
    const file = new CopyFile(path, cipher)
    return {
      isComplete: isComplete(file, program),
      over: store =>
        new EdgeCopy(store, {
          file,
          program,
          onError: error =>
            logger.error({ err: error, path }, 'the copy cannot be written; the edge asks the database'),
        }),
      close: () => file.close(),
    }
  } catch (error) {
    logger.error({ err: error, path }, 'the copy cannot be opened; the edge cannot do without the database')
    return undefined
  }
}

function programName(): string {
  const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
    version: string
  }
  return `${version}/${schemaNumber}`
}
