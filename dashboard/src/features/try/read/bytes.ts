/** Byte strings have one code unit per byte, as shells and HTTP use bytes. */

const encoder = new TextEncoder()
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export function bytesOf(text: string): string {
  return stringOf(encoder.encode(text))
}

/** Undefined for invalid UTF-8. */
export function textOf(bytes: string): string | undefined {
  try {
    return strict.decode(Uint8Array.from(bytes, byte => byte.charCodeAt(0)))
  } catch {
    return undefined
  }
}

export function base64Of(bytes: string): string {
  return btoa(bytes)
}

/** Undefined for invalid Base64. */
export function ofBase64(text: string): string | undefined {
  try {
    return atob(text)
  } catch {
    return undefined
  }
}

function stringOf(bytes: Uint8Array): string {
  let text = ''
  for (let start = 0; start < bytes.length; start += 8192)
    text += String.fromCharCode(...bytes.subarray(start, start + 8192))
  return text
}
