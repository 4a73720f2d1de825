import type { DrainMessage, StartMessage, WorkerReady } from './edge-workers.ts'
import { runEdge } from './run-edge.ts'

/** Entry of an edge worker process: waits for its settings, serves, drains when the primary process says so. */

// Ctrl-C reaches the whole process group; draining is the primary's to order.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})

process.on('message', (message: StartMessage | DrainMessage) => {
  const work = message.kind === 'start' ? start(message) : drain()
  work.catch(error => {
    console.error(`sluice: the edge cannot run: ${error instanceof Error ? error.message : String(error)}`)
    process.exit(1)
  })
})
// Without the primary there is nobody to order a drain.
process.on('disconnect', () => void drain().finally(() => process.exit(0)))

let running: Awaited<ReturnType<typeof runEdge>> | undefined

async function start({ settings, slot }: StartMessage): Promise<void> {
  running = await runEdge(settings, `edge-${slot}`)
  process.send!({ kind: 'ready', port: running.port } satisfies WorkerReady)
}

async function drain(): Promise<void> {
  await running?.stop()
  process.exit(0)
}
