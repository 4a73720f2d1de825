import { dirname, join } from 'node:path'

const built = process.env['SLUICE_TEST_PRODUCT']

/** The command that tests start: `npm test` builds it once. A file that runs by itself uses the sources. */
export const productEntry = built ?? join(import.meta.dirname, '../../src/cli/main.ts')

/** The folder of the build. Undefined without one. */
export const builtProduct = built === undefined ? undefined : join(dirname(built), '..')

/** A data directory with the CRS for tests, to be copied. Undefined without a built product; absent without a CRS. */
export const importedData = built === undefined ? undefined : join(dirname(built), '../../data')
