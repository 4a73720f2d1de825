const key = 'sluice.live-sessions'
const keptMax = 20

/** Sessions that this tab made, also before a reload: it may end them for one with another filter. */
export function isOwnSession(id: string): boolean {
  return read().includes(id)
}

export function addOwnSession(id: string): void {
  try {
    sessionStorage.setItem(key, JSON.stringify([...read(), id].slice(-keptMax)))
  } catch {
    // Then it is somebody else's after all, and who looks is asked.
  }
}

function read(): readonly string[] {
  try {
    const kept = JSON.parse(sessionStorage.getItem(key) ?? '[]') as unknown
    return Array.isArray(kept) ? kept : []
  } catch {
    return []
  }
}
