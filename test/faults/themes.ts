/** The theme of a seed, besides the faults that every seed may have. */
export type Theme = (typeof themes)[number]

/**
 * Uploads in parts, replays, hourly manifests, a quota that is too small for what happens, edits of filters and
 * destinations.
 */
export const themes = ['any', 'parts', 'replays', 'manifests', 'quota', 'edits'] as const

export function themeOf(seed: number): Theme {
  return themes[seed % themes.length]!
}
