/** Compares `4.28.0` with `4.9.1` number by number; sorts oldest first. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map(version => version.split(/[.-]/).map(Number)) as [number[], number[]]
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (left[i] || 0) - (right[i] || 0)
    if (difference !== 0) return difference
  }
  return 0
}
