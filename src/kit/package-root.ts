import { join } from 'node:path'

/** The directory with `package.json`. A build that runs from elsewhere replaces this file. */
export const packageRoot: string = join(import.meta.dirname, '../..')
