import { join } from 'node:path'

/** The tests with HAProxy, with a newer version (`npm run test:servers -- haproxy`). */
const directory = process.env['SLUICE_TEST_HAPROXY']!
process.env['PATH'] = `${join(directory, 'bin-for-tests')}:${process.env['PATH']}`
await import('../../src/agents/spoe/haproxy.test.ts')
