import { join } from 'node:path'

/** The command that tests start: `npm test` builds it once. A file that runs by itself uses the sources. */
export const productEntry =
  process.env['SLUICE_TEST_PRODUCT'] ?? join(import.meta.dirname, '../../src/cli/main.ts')
