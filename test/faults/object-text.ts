import { gunzipSync } from 'node:zlib'

/** Every line begins with its ray id, which nothing else has before it. */
export function raysIn(object: Buffer): string[] {
  const text = textOf(object) ?? ''
  return Array.from(text.matchAll(/^(?:\{"RayID":)?"([0-9a-f]{16})",/gm), match => match[1]!)
}

/** An object of the bucket is looked at many times. */
const texts = new WeakMap<Buffer, string>()

/** Undefined when it is not whole. */
export function textOf(object: Buffer): string | undefined {
  try {
    const text = texts.get(object) ?? gunzipSync(object).toString('utf8')
    texts.set(object, text)
    return text
  } catch {
    return undefined
  }
}
