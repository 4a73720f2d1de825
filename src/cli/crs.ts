import { openCrs } from '../crs/index.ts'
import { importedRelease, printComparison } from './crs-diff.ts'
import { parseCommandLine, UsageError } from './usage.ts'
import { withStore } from './with-store.ts'

const usage =
  'use `sluice crs list`, `sluice crs sync`, `sluice crs import PATH`, `sluice crs use VERSION` or `sluice crs diff A B [--json]`'

/** Words after the verb. */
const argumentCounts: Readonly<Record<string, number>> = { import: 1, use: 1, diff: 2 }

/** `sluice crs list | sync | import PATH | use VERSION | diff A B`. A running server takes a change over within a second. */
export async function crsCommand(commandLine: readonly string[]): Promise<void> {
  const { words, flags, settings } = parseCommandLine(commandLine, [], ['json'])
  const [verb, argument, second] = words
  if (words.length !== 1 + (argumentCounts[verb ?? ''] ?? 0)) throw new UsageError(usage)
  if (flags.has('json') && verb !== 'diff') throw new UsageError('only `sluice crs diff` has --json')
  await withStore(settings, async store => {
    const crs = openCrs({ store, data: settings.data, report: line => console.log(line) })
    switch (verb) {
      case 'list':
        for (const { release, active } of await crs.list())
          console.log(
            `${active ? '*' : ' '} ${release.version}  OWASP CRS ${release.crsVersion}  ${release.importedOn}  ${release.origin}`,
          )
        return
      case 'diff':
        await printComparison(store, argument!, second!, flags.has('json'))
        return
      case 'sync':
        await crs.sync()
        break
      case 'import':
        await crs.import(argument!)
        break
      case 'use':
        await crs.use(importedRelease(await store.crs.list(), argument!).version)
        break
      default:
        throw new UsageError(usage)
    }
    const active = (await crs.list()).find(entry => entry.active)
    if (active !== undefined)
      console.log(
        `OWASP CRS ${active.release.crsVersion} is version ${active.release.version} of the managed rulesets and in use`,
      )
  })
}
