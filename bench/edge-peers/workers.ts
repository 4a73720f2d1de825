import type { ChildProcess } from 'node:child_process'
import { discard } from '../../test/support/sluice.ts'
import { makeZone, protect } from '../support/edge-zones.ts'
import { startProduct } from '../support/product.ts'
import type { StartOrder } from './contender.ts'
import { idleMebibytes } from './entrants.ts'
import { mixedLoad, openSite, unreachableScore } from './loads.ts'
import { markdown } from './tables.ts'
import { takeTurn } from './turn.ts'

const moreWorkers = 3

/** Sluice at PL1 that starts again with its data: time until it is ready, and the memory of its first and further workers. */
export async function workersTable(
  order: StartOrder,
  generator: ChildProcess,
  measuredMs: number,
): Promise<string> {
  const settings = { SLUICE_CRS: order.crs }
  const first = await startProduct({ settings })
  await protect(first, await makeZone(first, openSite, order.originPort), 1, unreachableScore)
  await first.stop()
  const beganMs = performance.now()
  const again = await startProduct({ settings, data: first.data })
  const readySeconds = (performance.now() - beganMs) / 1000
  const idle = await idleMebibytes(again.pid)
  await again.stop()
  // Before the load, whose records the analytics of the next start read.
  const many = await startProduct({
    settings: { ...settings, SLUICE_WORKERS: String(moreWorkers) },
    data: first.data,
  })
  const further = ((await idleMebibytes(many.pid)) - idle) / (moreWorkers - 1)
  await many.stop()
  const loaded = await startProduct({ settings, data: first.data })
  const running = { port: loaded.edgePort, pid: loaded.pid }
  const { peakMebibytes } = await takeTurn(running, generator, {
    load: mixedLoad(),
    varied: true,
    measuredMs,
  })
  await discard(loaded)
  const figures = [readySeconds.toFixed(1), ...[idle, peakMebibytes, further].map(value => value.toFixed(0))]
  return markdown(
    [
      'Sluice, PL1, started again',
      'ready s',
      'MiB idle, one worker',
      'MiB under load',
      'MiB each further worker',
    ],
    [['', ...figures]],
  )
}
