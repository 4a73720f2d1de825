import { Badge } from '@mantine/core'
import type { Kind } from './comparison.ts'

const words: Readonly<Record<Kind, { readonly word: string; readonly color: string }>> = {
  added: { word: 'Added', color: 'teal' },
  removed: { word: 'Removed', color: 'red' },
  changed: { word: 'Changed', color: 'brand' },
}

export function KindBadge({ kind }: { readonly kind: Kind }) {
  const { word, color } = words[kind]
  return (
    <Badge size="sm" variant="outline" color={color} c="var(--mantine-color-text)" tt="none">
      {word}
    </Badge>
  )
}
