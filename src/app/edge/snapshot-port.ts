import type { MessagePort } from 'node:worker_threads'
import type { Snapshots } from '../../crs/index.ts'

interface Question {
  readonly version: number
  readonly key: string
}

interface Answer {
  readonly key: string
  /** Shared, not copied. Undefined when it cannot be had. */
  readonly snapshot: SharedArrayBuffer | undefined
}

/** Answers what `snapshotsOver` asks at the other end of the port, until that is closed. */
export function serveSnapshots(port: MessagePort, snapshots: Snapshots): void {
  port.on('message', ({ version, key }: Question) => {
    const tell = (snapshot: SharedArrayBuffer | undefined): void =>
      port.postMessage({ key, snapshot } satisfies Answer)
    // Why not, the other end finds out when it compiles.
    snapshots.snapshotFor(version, key).then(tell, () => tell(undefined))
  })
}

/** The snapshots of another thread. */
export function snapshotsOver(port: MessagePort): Snapshots {
  const waiting = new Map<string, ((snapshot: SharedArrayBuffer | undefined) => void)[]>()
  port.on('message', ({ key, snapshot }: Answer) => {
    const resolve = waiting.get(key)?.shift()
    resolve?.(snapshot)
  })
  return {
    snapshotFor: (version, key) =>
      new Promise(resolve => {
        waiting.set(key, [...(waiting.get(key) ?? []), resolve])
        port.postMessage({ version, key } satisfies Question)
      }),
  }
}
