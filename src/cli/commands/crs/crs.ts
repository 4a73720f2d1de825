import type { SystemAudit } from '../../../app/index.ts'
import { type Crs, openCrs } from '../../../crs/index.ts'
import type { Store } from '../../../store/index.ts'
import { parseCommandLine, UsageError } from '../../usage.ts'
import { withStore } from '../../with-store.ts'
import { importedRelease, printComparison } from './diff.ts'

/** The output of `sluice crs --help`. */
export const crsHelp = `sluice crs: releases of the OWASP CRS

  sluice crs list             the imported releases; * marks \`latest\`
  sluice crs sync             import the newest upstream release after checking its signature, and activate it
  sluice crs import PATH      import a directory or a .tar.gz archive, and activate it
  sluice crs use VERSION      activate an imported release; VERSION is its number or the CRS's (4.28.0)
  sluice crs diff A B         the rules that differ, one per line; --json for programs

A release that does not compile is refused, and the active release stays. A running Sluice follows within a second.`

const usage =
  'use `sluice crs list`, `sluice crs sync`, `sluice crs import PATH`, `sluice crs use VERSION` or `sluice crs diff A B [--json]`'

/** Words after the verb. */
const argumentCounts: Readonly<Record<string, number>> = { import: 1, use: 1, diff: 2 }

/** `sluice crs list | sync | import PATH | use VERSION | diff A B`. A running server follows within a second. */
export async function crsCommand(commandLine: readonly string[]): Promise<void> {
  const { words, flags, settings } = parseCommandLine(commandLine, [], ['json'])
  const [verb, argument, second] = words
  if (words.length !== 1 + (argumentCounts[verb ?? ''] ?? 0)) throw new UsageError(usage, { command: 'crs' })
  if (flags.has('json') && verb !== 'diff') throw new UsageError('only `sluice crs diff` has --json')
  await withStore(settings, `sluice crs ${verb}`, async (store, audit) => {
    const crs = openCrs({
      store,
      data: settings.data,
      report: line => console.log(line),
      reach: settings.destinations,
    })
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
        await crs.sync(audit.crs)
        break
      case 'import':
        await crs.import(argument!, audit.crs)
        break
      case 'use':
        await use(store, crs, argument!, audit)
        break
      default:
        throw new UsageError(usage, { command: 'crs' })
    }
    const active = (await crs.list()).find(entry => entry.active)
    if (active !== undefined)
      console.log(
        `OWASP CRS ${active.release.crsVersion} is version ${active.release.version} of the managed rulesets and active`,
      )
  })
}

async function use(store: Store, crs: Crs, name: string, audit: SystemAudit): Promise<void> {
  const release = importedRelease(await store.crs.list(), name)
  if (release.version !== (await store.crs.active())?.version)
    await crs.use(release.version, audit.crs('update', release))
}
