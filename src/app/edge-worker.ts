import { parentPort, workerData } from 'node:worker_threads'
import type { EdgeThreadData, FromEdgeThread, ToEdgeThread } from './edge-thread.ts'
import { imagesOver } from './image-port.ts'
import { ownMetrics } from './metrics.ts'
import { prepareEdge } from './run-edge.ts'

/**
 * Entry of an edge worker thread: gets ready, listens when the primary thread says so, drains when it says so. What
 * fails ends the thread with the error, which the primary is told.
 */
const primary = parentPort!
const { input, imagePort } = workerData as EdgeThreadData
const edge = await prepareEdge(input, imagesOver(imagePort))

primary.on('message', async (message: ToEdgeThread) => {
  switch (message.kind) {
    case 'listen':
      tell({ kind: 'ready', port: await edge.listen(message.port, message.shared) })
      return
    case 'metrics':
      tell({ kind: 'metrics', metrics: await ownMetrics() })
      return
    case 'trace': {
      const answer = await edge.trace(message.request).catch(error => ({ failure: (error as Error).message }))
      tell({ kind: 'traced', number: message.number, answer })
      return
    }
    case 'drain':
      await edge.stop()
      process.exit(0)
  }
})
tell({ kind: 'prepared' })

function tell(message: FromEdgeThread): void {
  primary.postMessage(message)
}
