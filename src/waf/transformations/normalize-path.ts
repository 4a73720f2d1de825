/**
 * Collapses `//`, drops `/./`, resolves `x/..`. Leading `..` of a relative path stay; an absolute one loses them.
 * `.` alone gives ''; a slash at the end stays when a segment is left before it.
 */
export function normalizePath(path: string): string {
  return needsWork(path) ? normalize(path) : path
}

/** Backslashes to slashes, then as `normalizePath`. */
export function normalizePathWin(path: string): string {
  return normalizePath(path.includes('\\') ? path.replaceAll('\\', '/') : path)
}

function needsWork(path: string): boolean {
  return path.includes('//') || path.includes('/.') || path.charCodeAt(0) === 0x2e
}

function normalize(path: string): string {
  const absolute = path.charCodeAt(0) === 0x2f
  const kept: string[] = []
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue
    const parent = kept[kept.length - 1]
    if (segment !== '..') kept.push(segment)
    else if (parent !== undefined && parent !== '..') kept.pop()
    else if (!absolute) kept.push(segment)
  }
  const slash = kept.length > 0 && path.charCodeAt(path.length - 1) === 0x2f ? '/' : ''
  return (absolute ? '/' : '') + kept.join('/') + slash
}
