import { parentPort, workerData } from 'node:worker_threads'
import { collectGarbage } from '../../kit/heap.ts'
import { ownMetrics } from '../observe/metrics.ts'
import { primaryOver } from './primary-port.ts'
import { prepareEdge } from './run-edge.ts'
import type { EdgeThreadData, FromEdgeThread, ToEdgeThread } from './thread.ts'

/**
 * Main file of an edge worker thread: prepares the edge, then listens and drains on messages of the primary thread. An
 * error ends the thread, and the primary thread receives it.
 */
const primary = parentPort!
const { input, port } = workerData as EdgeThreadData
const edge = await prepareEdge(input, primaryOver(port))
// Before requests come.
collectGarbage()

primary.on('message', async (message: ToEdgeThread) => {
  switch (message.kind) {
    case 'listen':
      tell({ kind: 'ready', ports: await edge.listen(message.addresses) })
      return
    case 'down':
      edge.setDown(message.keys)
      return
    case 'metrics':
      tell({ kind: 'metrics', metrics: await ownMetrics() })
      return
    case 'refuses':
      tell({ kind: 'refusing', reason: edge.refuses() })
      return
    case 'certificates': {
      const { zoneName } = message
      tell({ kind: 'served', zoneName, certificates: edge.certificates(zoneName) })
      return
    }
    case 'trace': {
      const answer = await edge.trace(message.request).catch(error => ({ failure: (error as Error).message }))
      tell({ kind: 'traced', number: message.number, answer })
      return
    }
    case 'drain':
      if (message.retires) await edge.retire()
      await edge.stop()
      process.exit(0)
  }
})
tell({ kind: 'prepared' })

function tell(message: FromEdgeThread): void {
  primary.postMessage(message)
}
