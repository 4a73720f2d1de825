import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { lowerHelperPriority, outliveOutput, serve, supervised, takeBequest } from '../../app/index.ts'
import { boundHeaps, collectGarbage } from '../../kit/heap.ts'
import type { Reach, Settings } from '../../model/settings/index.ts'
import { parseCommandLine, UsageError } from '../usage.ts'

/** A second signal ends the drain by force, but only after this time. */
const impatienceMs = 2000

/** The allowed destinations of Logpush, for the ready line. */
const reachInWords: Readonly<Record<Reach, string>> = {
  public: 'internet, files',
  loopback: 'internet, loopback, files',
  private: 'internet, private networks, loopback, files',
}

/** `sluice serve`: runs until SIGTERM or SIGINT, then drains. */
export async function serveCommand(commandLine: readonly string[]): Promise<void> {
  const bequest = takeBequest(process.env)
  const { words, settings } = parseCommandLine(commandLine)
  if (words.length > 0) throw new UsageError(`serve takes no words, found '${words[0]}'`)
  outliveOutput()
  boundHeaps()
  lowerHelperPriority()
  const child = bequest === undefined ? undefined : supervised(bequest, settings)
  const running = await serve(settings, line => console.log(line), child?.inheritance)

  let drainingSince: number | undefined
  const drain = async () => {
    if (drainingSince !== undefined) {
      // npm repeats a signal that the terminal has sent already, so only a later signal counts as the user's second one.
      if (Date.now() - drainingSince > impatienceMs) process.exit(1)
      return
    }
    drainingSince = Date.now()
    await running.stop()
    process.exit(0)
  }
  process.on('SIGTERM', drain)
  process.on('SIGINT', drain)

  const dashboardUrl = running.apiTlsUrl ?? running.apiUrl
  const parts = [
    running.apiUrl && `api ${running.apiUrl}/client/v4  dashboard ${dashboardUrl}/`,
    settings.roles.has('edge') && `edge ${running.edgeUrl ?? socketsOf(settings)}`,
    running.inspectUrls.length > 0 && `inspect ${running.inspectUrls.join(' ')}`,
    running.healthUrl && `health ${running.healthUrl}`,
    settings.roles.has('delivery') && `destinations ${reachInWords[settings.destinations]}`,
  ].filter(part => typeof part === 'string')
  child?.serves({
    takeOver: () => running.takeOver(),
    addRateCounts: counts => running.addRateCounts(counts),
    analytics: running.analytics,
    async retire(successor) {
      await running.retire(successor)
      process.exit(0)
    },
    drain,
  })
  console.log(`sluice ready: ${parts.join('  ')}`)
  if (dashboardUrl !== undefined) console.log(signInLine(dashboardUrl, settings.data))
  collectGarbage()
}

/** `unix:/run/sluice/edge.sock` */
function socketsOf({ edgeListen }: Settings): string {
  return edgeListen.flatMap(address => ('path' in address ? `unix:${address.path}` : [])).join(' ')
}

/** The address of the dashboard, and the credentials for it. */
function signInLine(dashboardUrl: string, data: string): string {
  const file = join(data, 'admin-token')
  const token = existsSync(file) ? `the token in ${file}` : 'an API token'
  return `dashboard: open ${dashboardUrl}/ and sign in with ${token}`
}
