/** Up to this length the platform's search takes time linear in the value; beyond, length times as much. */
const shortLength = 256

/** As `value.indexOf(text, from)`, in linear time for any value and text. */
export function findText(value: string, text: string, from: number): number {
  return text.length <= shortLength ? value.indexOf(text, from) : findLong(value, text, from)
}

/** Knuth, Morris and Pratt: reads no byte of the value twice. */
function findLong(value: string, text: string, from: number): number {
  const shorter = borders(text)
  let held = 0
  for (let at = from; at < value.length; at++) {
    const code = value.charCodeAt(at)
    while (held > 0 && text.charCodeAt(held) !== code) held = shorter[held - 1]!
    if (text.charCodeAt(held) === code) held++
    if (held === text.length) return at + 1 - held
  }
  return -1
}

/** For each prefix of the text: the length of its longest proper prefix that is also its suffix. */
function borders(text: string): Uint16Array {
  const lengths = new Uint16Array(text.length)
  let held = 0
  for (let at = 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    while (held > 0 && text.charCodeAt(held) !== code) held = lengths[held - 1]!
    if (text.charCodeAt(held) === code) held++
    lengths[at] = held
  }
  return lengths
}
