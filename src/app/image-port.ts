import type { MessagePort } from 'node:worker_threads'
import type { Images } from '../crs/index.ts'

interface Question {
  readonly version: number
  readonly key: string
}

interface Answer {
  readonly key: string
  /** Shared, not copied. Undefined when it cannot be had. */
  readonly image: SharedArrayBuffer | undefined
}

/** Answers what `imagesOver` asks at the other end of the port, until that is closed. */
export function serveImages(port: MessagePort, images: Images): void {
  port.on('message', ({ version, key }: Question) => {
    const tell = (image: SharedArrayBuffer | undefined): void =>
      port.postMessage({ key, image } satisfies Answer)
    // Why not, the other end finds out when it compiles.
    images.imageFor(version, key).then(tell, () => tell(undefined))
  })
}

/** The images of another thread. */
export function imagesOver(port: MessagePort): Images {
  const waiting = new Map<string, ((image: SharedArrayBuffer | undefined) => void)[]>()
  port.on('message', ({ key, image }: Answer) => {
    const resolve = waiting.get(key)?.shift()
    resolve?.(image)
  })
  return {
    imageFor: (version, key) =>
      new Promise(resolve => {
        waiting.set(key, [...(waiting.get(key) ?? []), resolve])
        port.postMessage({ version, key } satisfies Question)
      }),
  }
}
