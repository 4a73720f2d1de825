const key = 'sluice.live-sessions'
const keptMax = 20

/** Sessions that this tab created, also before a reload: it may replace them when the filter changes. */
export function isOwnSession(id: string): boolean {
  return read().includes(id)
}

export function addOwnSession(id: string): void {
  try {
    sessionStorage.setItem(key, JSON.stringify([...read(), id].slice(-keptMax)))
  } catch {
    // Treats the session as someone else's: the user decides whether to end it.
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
