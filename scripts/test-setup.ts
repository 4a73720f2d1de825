import { existsSync } from 'node:fs'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { obtainRelease, publicSources, readRelease } from '../src/crs/index.ts'
import { makeFolder } from '../src/kit/folders.ts'
import { crsForTests, obtainedCrs } from '../test/support/crs-for-tests.ts'

/** Before `npm test`: obtains the CRS for the tests, and reports the tests that will be skipped. */

const root = join(import.meta.dirname, '..')
const directory = crsForTests(root)
if (!existsSync(directory) && directory === obtainedCrs(root)) await obtain()
console.log(await crsLine())
if (!existsSync(join(root, '../shared')))
  console.log(
    'Skipped, because their data is not part of the project (../shared): the regression tests of the CRS, the cases of SecLang, of the injection detectors, of the datasets and of Terraform.',
  )
for (const [programs, what] of [
  [['nats-server'], 'records in NATS JetStream'],
  [['valkey-server', 'redis-server'], 'counters that machines share'],
  [
    ['chromium-headless-shell', 'chromium'],
    'the dashboard in the system’s Chromium (the packaged one runs it)',
  ],
] as const)
  if (!programs.some(isInstalled)) console.log(`Not installed: ${programs.join(' or ')}; skipped: ${what}.`)
console.log('All tests take some ten minutes on two cores that do nothing else.\n')

async function crsLine(): Promise<string> {
  if (!existsSync(directory))
    return 'No OWASP CRS is available: tests that need one are skipped. Name a release in SLUICE_TEST_CRS to run them.'
  const { crsVersion } = await readRelease(directory)
  return `The tests run with OWASP CRS ${crsVersion} in ${directory}.`
}

/** As at the first start. Written aside and renamed, so that an interrupted run leaves no partial release. */
async function obtain(): Promise<void> {
  const aside = await mkdtemp(join(tmpdir(), 'sluice-test-crs-'))
  try {
    const { files } = await obtainRelease(publicSources('public'), aside, text => console.log(text))
    const release = join(dirname(directory), 'sluice-test-crs.unfinished')
    await rm(release, { recursive: true, force: true })
    for (const { name, text } of files) {
      await makeFolder(dirname(join(release, name)))
      await writeFile(join(release, name), text, 'latin1')
    }
    await rename(release, directory)
  } catch (error) {
    console.log((error as Error).message)
  } finally {
    await rm(aside, { recursive: true, force: true })
  }
}

function isInstalled(program: string): boolean {
  return (process.env['PATH'] ?? '').split(':').some(folder => existsSync(join(folder, program)))
}
