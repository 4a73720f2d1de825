/**
 * Does the pattern of an `Include` fit the whole path? `*` stands for any run of characters and `?` for one, neither
 * for a slash nor for a leading dot. O(path · pattern).
 */
export function fits(pattern: string, path: string): boolean {
  const wanted = pattern.split('/')
  const parts = path.split('/')
  return wanted.length === parts.length && wanted.every((part, i) => fitsPart(part, parts[i]!))
}

export function isPattern(text: string): boolean {
  return text.includes('*') || text.includes('?')
}

function fitsPart(pattern: string, name: string): boolean {
  if (name.startsWith('.') && !pattern.startsWith('.')) return false
  let p = 0
  let n = 0
  /** Behind the last star, and where the name went on when that star had taken as little as was tried so far. */
  let star = -1
  let retry = 0
  while (n < name.length) {
    if (pattern[p] === '*') {
      star = ++p
      retry = n
    } else if (pattern[p] === '?' || pattern[p] === name[n]) {
      p++
      n++
    } else if (star >= 0) {
      p = star
      n = ++retry
    } else return false
  }
  while (pattern[p] === '*') p++
  return p === pattern.length
}
