import { openCrs } from '../crs/index.ts'
import { parseCommandLine, UsageError } from './usage.ts'
import { withStore } from './with-store.ts'

const usage = 'use `sluice crs list`, `sluice crs sync`, `sluice crs import PATH` or `sluice crs use VERSION`'

/** `sluice crs list | sync | import PATH | use VERSION`. A running server takes a change over within a second. */
export async function crsCommand(commandLine: readonly string[]): Promise<void> {
  const { words, settings } = parseCommandLine(commandLine)
  const [verb, argument] = words
  const takesArgument = verb === 'import' || verb === 'use'
  if (words.length !== (takesArgument ? 2 : 1)) throw new UsageError(usage)
  await withStore(settings, async store => {
    const crs = openCrs({ store, data: settings.data, report: line => console.log(line) })
    switch (verb) {
      case 'list':
        for (const { release, active } of await crs.list())
          console.log(
            `${active ? '*' : ' '} ${release.version}  OWASP CRS ${release.crsVersion}  ${release.importedOn}  ${release.origin}`,
          )
        return
      case 'sync':
        await crs.sync()
        break
      case 'import':
        await crs.import(argument!)
        break
      case 'use':
        if (!/^\d{1,9}$/.test(argument!))
          throw new UsageError('VERSION is the number in the first column of `sluice crs list`')
        await crs.use(Number(argument))
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
