import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../kit/package-root.ts'
import type { Settings } from '../../model/settings/index.ts'
import { schemaNumber } from '../../store/index.ts'
import type { EdgeStore } from '../edge/edge-store.ts'
import type { Logger } from '../observe/logger.ts'
import { installedCipher } from '../state/stores.ts'
import { EdgeCopy } from './edge-copy.ts'
import { openOwnFile } from './own-file.ts'
import { type CopyState, stateOf } from './state.ts'

/** The copy on this disk, before the database is open. */
export interface FoundCopy {
  /** The edge can start with it alone. */
  readonly isComplete: boolean
  /** @param everywhere as in `EdgeCopyDeps` */
  over(store: EdgeStore, everywhere: () => number | undefined): EdgeCopy
  close(): void
}

/** Undefined, with a line in the log, if the copy cannot be used: the edge then needs its database. */
export async function findEdgeCopy(settings: Settings, logger: Logger): Promise<FoundCopy | undefined> {
  const cipher = await installedCipher(settings)
  const folder = join(settings.data, 'edge-copy')
  const program = programName()
  try {
    const { file, path, close } = await openOwnFile(folder, cipher, program, (other, error) =>
      logger.error(
        { err: error, path: other },
        'the copy of another process cannot be read, and is not used',
      ),
    )
    const onError = (error: unknown) =>
      logger.error({ err: error, path }, 'the copy cannot be used; the edge asks the database')
    return {
      isComplete: stateOf(program, () => file.get<CopyState>('state', '')) !== undefined,
      over: (store, everywhere) => new EdgeCopy(store, { file, program, everywhere, onError }),
      close,
    }
  } catch (error) {
    logger.error(
      { err: error, path: folder },
      'the copy cannot be opened, so the edge needs the database: repair or remove this folder, and restart the edge',
    )
    return undefined
  }
}

function programName(): string {
  const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
    version: string
  }
  return `${version}/${schemaNumber}`
}
