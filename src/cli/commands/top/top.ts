import { setTimeout as sleep } from 'node:timers/promises'
import { type Api, openApi } from '../../api.ts'
import { parseCommandLine, UsageError } from '../../usage.ts'
import { type Figures, figuresBetween } from './figures.ts'
import { parseMetrics, type Scrape } from './scrape.ts'
import { screenOf } from './screen.ts'
import { Terminal } from './terminal.ts'

const intervalMs = 2000
const onceMs = 1000

/** `sluice top [--once]`. */
export async function topCommand(commandLine: readonly string[]): Promise<void> {
  const { words, flags, settings } = parseCommandLine(commandLine, [], ['once'])
  if (words.length > 0) throw new UsageError('use `sluice top [--once]`', { command: 'top' })
  const api = await openApi(settings)
  const first = await scrape(api)
  if (flags.has('once') || !process.stdout.isTTY || !process.stdin.isTTY) await printOnce(api, first)
  else await watch(api, first)
}

async function scrape(api: Api): Promise<Scrape> {
  return parseMetrics(await api.metrics(), performance.now())
}

async function printOnce(api: Api, first: Scrape): Promise<void> {
  await sleep(onceMs)
  const figures = figuresBetween(first, await scrape(api))
  console.log(screenOf(figures, titleOf(api, ''), 0).join('\n'))
}

/** Until the user quits. A failed scrape is shown, and the next one is tried. */
async function watch(api: Api, first: Scrape): Promise<void> {
  let before = first
  let figures: Figures | undefined
  let note = 'reading'
  let sortedBy = 0
  const draw = () => {
    const title = titleOf(api, note)
    terminal.show(figures === undefined ? [title] : screenOf(figures, title, sortedBy))
  }
  const terminal = new Terminal({
    sort: step => {
      sortedBy = Math.max(0, sortedBy + step)
      draw()
    },
    resized: draw,
  })
  try {
    draw()
    while (await terminal.waits(intervalMs)) {
      try {
        const after = await scrape(api)
        figures = figuresBetween(before, after)
        before = after
        note = 'q quits, ← → sort'
      } catch (error) {
        note = (error as Error).message
      }
      draw()
    }
  } finally {
    terminal.close()
  }
}

function titleOf({ base }: Api, note: string): string {
  return `sluice top  ${new URL(base).origin}  ${new Date().toTimeString().slice(0, 8)}  ${note}`.trimEnd()
}
