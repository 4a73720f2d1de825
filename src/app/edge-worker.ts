import type { StartMessage, WorkerReady } from './edge-workers.ts'
import { runEdge } from './run-edge.ts'

/** Entry of an edge worker process: waits for its settings, serves, drains when the primary process says so. */

// Ctrl-C reaches the whole process group; draining is the primary's to order.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})

// Others use the channel as well: the metrics of all workers are gathered over it.
process.on('message', (message: { kind?: unknown }) => {
  if (message.kind === 'start') run(start(message as StartMessage))
  else if (message.kind === 'drain') run(drain())
})
// Without the primary there is nobody to order a drain.
process.on('disconnect', () => void drain().finally(() => process.exit(0)))

function run(work: Promise<void>): void {
  work.catch(error => {
    console.error(`sluice: the edge cannot run: ${error instanceof Error ? error.message : String(error)}`)
    process.exit(1)
  })
}

let running: Awaited<ReturnType<typeof runEdge>> | undefined

async function start({ settings, slot }: StartMessage): Promise<void> {
  running = await runEdge(settings, `edge-${slot}`)
  process.send!({ kind: 'ready', port: running.port } satisfies WorkerReady)
}

async function drain(): Promise<void> {
  await running?.stop()
  process.exit(0)
}
